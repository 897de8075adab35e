// Filters the list of jobs; the filter is in the address, so that links, the back button and a reload keep it.
import { useId } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { stateWord } from '../../parts/job-words.ts'
import { commands, labelOf } from '../../state/commands.ts'
import { partStates } from '../../state/jobs.ts'
import { computers, nameOf } from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'

export function JobFilter({ filter }: { filter: URLSearchParams }) {
  const listId = useId()
  const client = filter.get('client') ?? ''
  const command = filter.get('command') ?? ''
  const change = (key: string, value: string) => {
    const next = new URLSearchParams(filter)
    if (value === '') next.delete(key)
    else next.set(key, value)
    location.hash = `${linkTo('jobs')}${next.size > 0 ? `?${next}` : ''}`
  }
  const known = commands.value.filter(({ path }) => path !== '')
  return (
    <search class="job-filter" aria-label={t('jobs.filter')}>
      <select
        aria-label={t('jobs.outcome')}
        value={filter.get('state') ?? ''}
        onChange={event => change('state', event.currentTarget.value)}
      >
        <option value="">{t('jobs.anyState')}</option>
        {partStates.map(state => (
          <option key={state} value={state}>
            {stateWord(state)}
          </option>
        ))}
      </select>
      <select
        aria-label={t('jobs.what')}
        value={command}
        onChange={event => change('command', event.currentTarget.value)}
      >
        <option value="">{t('jobs.anyCommand')}</option>
        {command !== '' && !known.some(({ name }) => name === command) && <option value={command}>{command}</option>}
        {known.map(each => (
          <option key={each.name} value={each.name}>
            {labelOf(each)}
          </option>
        ))}
      </select>
      <input
        type="search"
        list={listId}
        aria-label={t('jobs.client')}
        placeholder={t('jobs.client')}
        value={client && nameOf(client)}
        onChange={event => change('client', addressOf(event.currentTarget.value.trim()))}
      />
      <datalist id={listId}>
        {[...computers.value.values()].map(({ ip, name }) => (
          <option key={ip} value={name}>
            {ip}
          </option>
        ))}
      </datalist>
    </search>
  )
}

/** Of a computer's name, or of what may be an address. */
const addressOf = (text: string) =>
  [...computers.peek().values()].find(({ name }) => name.toLowerCase() === text.toLowerCase())?.ip ?? text
