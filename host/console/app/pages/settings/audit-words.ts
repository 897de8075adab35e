// Records of the audit log in words: what a request was about, why it was refused, and who has taken it back.
import type { AuditAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { deedWords, recordWords } from '../../parts/change-words.ts'
import { changeWords, fieldWord, triedWords } from '../../parts/value-words.ts'
import { nameOf } from '../../state/lab.ts'
import { causeWords } from '../../state/notices.ts'

export interface Entry extends AuditAnswer {
  /** In the order in which they were read. */
  number: number
}

/** By the ids of changes: the records of these, and those of what has taken them back. */
export interface Related {
  changes: ReadonlyMap<number | undefined, Entry>
  undoing: ReadonlyMap<number | undefined, Entry>
}

export function relatedOf(records: readonly Entry[]): Related {
  const done = records.filter(({ status }) => status < 400)
  const by = (key: 'undo' | 'undoes') =>
    new Map(done.flatMap(each => (each[key] === undefined ? [] : [[each[key], each] as const])))
  return { changes: by('undo'), undoing: by('undoes') }
}

/** What is searched, and saved as CSV, has one more than the daemon records: as many further ones. */
export const allNames = 51

/** In place of the name of a refused login that no user has. */
const unknownName = 'an unknown name'

/** What the request was about: what it has set, or would have set, and on which computers. */
export function wordsOf(entry: Entry, { changes }: Related, most?: number): string {
  const { name, clients, names = [], count, route, tried, undoes } = entry
  // What has been taken back before is known by its own record only.
  const former = route === 'POST /undo' ? changes.get(Number(tried?.id))?.change : undefined
  const { change = former } = entry
  if (change) {
    const values = changeWords(change)
    const isUndo = undoes !== undefined || former !== undefined
    // The values of several records name these.
    const isNamed = !isUndo && !most && change.fields && values && (change.counts.changed ?? 1) > 1
    const title = isUndo ? deedWords(change, most) : recordWords(change, most)
    return [!isNamed && title, values].filter(Boolean).join(' · ')
  }
  const computers =
    clients.map((ip, at) => names[at] || nameOf(ip)).join(', ') + (count > clients.length ? ` … (${count})` : '')
  const about = name === unknownName ? t('audit.unknownName') : name
  // A computer that was added has both.
  return [...new Set([computers, about, triedWords(entry)].filter(Boolean))].join(' · ')
}

/** In the user's language, where the daemon says it by a code. */
export function reasonWords({ reason = '', cause }: Entry): string {
  if (!cause) return reason
  const fields = String(cause.fields ?? '').split(' ')
  return causeWords({ ...cause, fields: fields.map(key => fieldWord(key) ?? key).join(', ') }) ?? reason
}

export const takenBackWords = (undoing?: Entry): string =>
  undoing ? t('audit.takenBack', { who: undoing.who, time: formatTime(undoing.time) }) : ''

/** An edit of a record whose former values are not kept. */
export const hasNoUndo = ({ change, undo }: Entry): boolean =>
  change?.fields !== undefined && undo === undefined && /^(group|repository|token|user)$/.test(change.kind)
