// The filters of the list of jobs, which the daemon applies; they are in the address.
import { useId } from 'preact/hooks'
import { partStates } from '../../../../../stores/rules/part-states.ts'
import type { ListedJob } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import type { Filter } from '../../parts/data-table.tsx'
import { stateWord } from '../../parts/job-words.ts'
import { commands, labelOf } from '../../state/commands.ts'
import { computers, nameOf } from '../../state/lab.ts'
import { changeQuery } from '../../state/route.ts'

/** `command`: the chosen one, which may be unknown by now. */
export function jobFilters(command: string): Filter<ListedJob>[] {
  const known = commands.value.filter(({ path }) => path !== '')
  const isUnknown = command !== '' && !known.some(({ name }) => name === command)
  return [
    {
      id: 'state',
      any: t('jobs.anyState'),
      options: partStates.map(value => ({ value, word: stateWord(value) })),
    },
    {
      id: 'command',
      any: t('jobs.anyCommand'),
      options: [
        ...(isUnknown ? [{ value: command, word: command }] : []),
        ...known.map(each => ({ value: each.name, word: labelOf(each) })),
      ],
    },
  ]
}

export function ClientFilter({ client }: { client: string }) {
  const listId = useId()
  return (
    <>
      <input
        type="search"
        list={listId}
        aria-label={t('jobs.client')}
        placeholder={t('jobs.client')}
        value={client && nameOf(client)}
        onChange={event => changeQuery({ client: addressOf(event.currentTarget.value.trim()) })}
      />
      <datalist id={listId}>
        {[...computers.value.values()].map(({ ip, name }) => (
          <option key={ip} value={name}>
            {ip}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** Of a computer's name, or of what may be an address. */
const addressOf = (text: string) =>
  [...computers.peek().values()].find(({ name }) => name.toLowerCase() === text.toLowerCase())?.ip ?? text
