// Deletes a record, after a question that says what that does.
import type { DeletionAnswer } from '../../../contract/answers.ts'
import { get, post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { report } from '../state/notices.ts'
import { useResource } from '../state/resource.ts'
import { Button, type ButtonProps } from './button.tsx'
import { confirmed } from './confirmation.tsx'
import { listOf } from './job-words.ts'

/** In the form of a record. */
export const DeletionButton = ({ text, press }: Pick<ButtonProps, 'text' | 'press'>) => (
  <p>
    <Button text={text} class="destructive" press={press} />
  </p>
)

export interface Deletion {
  /** The question. */
  title: string
  text: string
  path: string
  /** Of the id in the payload. */
  key?: string
  id: number
  name: string
  /** What is said then. */
  done?: string
  /** Leads to the page of which the notice is. */
  leave?(): void
}

/** Asks once, and says what the daemon has answered. */
export async function deleteRecord({ title, text, path, key = 'id', id, name, done, leave }: Deletion): Promise<void> {
  const kind = path.split('/')[1] ?? ''
  const { value } = await get<DeletionAnswer>(`/deletion?kind=${kind}&id=${id}`)
  const question = (
    <>
      {text}
      {value?.details.map(({ effect, what }) => (
        <span class="banner warn" key={effect}>
          {t(`deletion.${effect}`, { what: listOf(what.map(usedWords), mostNames) })}
        </span>
      ))}
      {value && <UndoDays days={value.undo_days} />}
    </>
  )
  if (!(await confirmed(title, question, t('records.delete')))) return
  const reply = await post(path, { [key]: String(id) })
  // The question has said what the warning says.
  if (reply.ok) leave?.()
  report(value?.details.length ? { ...reply, warning: '' } : reply, done ?? t('records.deleted', { name }))
}

/** At the end of the question. */
const UndoDays = ({ days }: { days: number }) =>
  days > 0 ? <span class="line hint">{t('deletion.undoDays', { n: days })}</span> : null

/** Of a deletion that is a command for computers. */
export function UndoDaysOf({ kind }: { kind: string }) {
  const { value } = useResource<DeletionAnswer>(`/deletion?kind=${kind}`).value
  return value ? <UndoDays days={value.undo_days} /> : null
}

const mostNames = 6

/** `schedule Updates (2 computers)`, `Job 12 (5 computers)`. */
function usedWords({ kind, id, name = '', computers, addresses }: DeletionAnswer['details'][number]['what'][number]) {
  const words = kind === 'job' ? t('panel.job', { id: String(id) }) : t(`deletion.${kind}`, { name })
  if (computers !== undefined) return `${words} (${t('rooms.all', { n: computers })})`
  return addresses === undefined ? words : `${words} (${t('deletion.addresses', { n: addresses })})`
}
