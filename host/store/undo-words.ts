// In words, what a change that can be taken back has done.
import { groupBy } from '../../stores/rules/group-by.ts'
import type { UndoItem, ValueChange } from '../../stores/store.ts'
import type { AuditDetails } from '../contract/services.ts'
import type { NameOf } from './named-ids.ts'

/** Of a collection: one, several. */
const words: Readonly<Record<string, readonly [string, string]>> = {
  rooms: ['room', 'rooms'],
  computers: ['computer', 'computers'],
  images: ['image', 'images'],
  schedules: ['schedule', 'schedules'],
  tasks: ['task', 'tasks'],
  procedures: ['procedure', 'procedures'],
  added: ['new computer', 'new computers'],
  changed: ['changed computer', 'changed computers'],
}

/** Of keys of records: the words of people. */
const fieldWords: Readonly<Record<string, string>> = {
  repo_id: 'repository',
  place: 'seat',
  ...Object.fromEntries(
    ['years', 'months', 'weeks', 'week_days', 'days', 'hours', 'am_pm', 'minutes'].map(mask => [mask, 'time']),
  ),
  type: 'task',
  plan: 'task',
  when: 'time',
}

type Done = NonNullable<AuditDetails['change']>
type Values = NonNullable<Done['changes']>
type Deed = Pick<UndoItem, 'kind' | 'name' | 'counts' | 'fields' | 'changes'>

/** With the present names in place of ids. */
export function doneOf(
  { kind, record, name, counts, fields, changes }: Deed & Pick<UndoItem, 'record'>,
  nameOf: NameOf,
): Done {
  return {
    // `as`: the store has only these.
    kind: kind as Done['kind'],
    ...(record > 0 && { record }),
    name,
    counts,
    ...(fields && { fields: [...fields] }),
    ...(changes && { changes: withNames(changes, nameOf) }),
  }
}

export function withNames(changes: readonly ValueChange[], nameOf: NameOf): ValueChange[] {
  const toNames = (field: string, value: unknown) =>
    Array.isArray(value) ? value.map(id => nameOf(field, id) ?? id) : (nameOf(field, value) ?? value)
  return changes.map(({ before, after, ...change }) => {
    const { field } = change
    return { ...change, before: toNames(field, before), after: toNames(field, after) }
  })
}

/** Of texts and of the JSON of objects, such as a time, in the audit log. */
const [longestText, longestObject] = [100, 300]

/** For the audit log, which is kept for long: without what is sent to computers, and with the beginning of long values. */
export function inShort({ changes, ...done }: Done): Done {
  return { ...done, ...(changes && { changes: changes.map(shorten) }) }
}

function shorten({ before, after, ...change }: Values[number]): Values[number] {
  if (change.field === 'steps') return { ...change, before: '…', after: '…' }
  const [short, next] = [before, after].map(value => {
    const text = typeof value === 'object' ? JSON.stringify(value) : value
    const longest = typeof value === 'object' ? longestObject : longestText
    return typeof text === 'string' && text.length > longest ? `${text.slice(0, longestText)}…` : value
  })
  return { ...change, before: short, after: next }
}

/** `room Studio with 12 computers` of what was deleted, `computer pc-1 changed: mac` of what was edited. */
export function whatOf({ kind, name, counts, fields, changes }: Deed): string {
  if (!fields) return describe({ kind, name, counts })
  const count = countOf(kind, counts.changed, changes)
  return undoWord(counts.undone) + describeEdit(kind, name, count, editWord(fields, changes, counts.undone))
}

/** ` (Lab 1 → Lab 2)` of an edit of one value, ` (name: pc-1 → pc-2; seat: …)` of several: what all of its records have got. */
export function valuesOf({ fields, changes = [] }: Done): string {
  const byField = groupBy(fields ? changes : [], ({ field }) => field)
  const edits = [...byField].flatMap(([field, values]) => {
    const [edit = '', ...others] = new Set(values.map(toWords))
    if (others.length > 0 || edit === '… → …') return []
    return byField.size === 1 ? edit : `${fieldWords[field] ?? field}: ${edit}`
  })
  return edits.length === 0 ? '' : ` (${edits.join('; ')})`
}

const longestWord = 40

const toWords = ({ field, before, after }: Values[number]) => `${wordOf(field, before)} → ${wordOf(field, after)}`

function wordOf(field: string, value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '–'
  if (field === 'expires') return value === 0 ? 'never' : new Date(Number(value) * 1000).toISOString()
  const isList = Array.isArray(value) && value.every(each => typeof each !== 'object')
  const text = isList ? value.join(', ') : typeof value === 'object' ? '…' : String(value)
  return text.length > longestWord ? `${text.slice(0, longestWord)}…` : text
}

/** Of what was edited with a schedule the schedule is named. */
const countOf = (kind: string, count = 1, changes: UndoItem['changes'] = []): number =>
  changes.some(change => change.kind !== kind)
    ? new Set(changes.flatMap(change => (change.kind === kind ? change.record : []))).size
    : count

/** What takes an edit back can be taken back in its turn. */
const undoWord = (undone = 0): string => (undone === 0 ? '' : undone % 2 === 1 ? 'undo of ' : 'redo of ')

/** `changed: mac, room`, `suspended`, `resumed`; an undo has the word of what it takes back. */
function editWord(fields: readonly string[], [change]: UndoItem['changes'] = [], undone = 0): string {
  if (change && fields.length === 1 && change.field === 'suspended')
    return (undone % 2 === 1 ? change.before : change.after) ? 'suspended' : 'resumed'
  return `changed: ${[...new Set(fields.map(field => fieldWords[field] ?? field))].join(', ')}`
}

/** `computer pc-1 changed: mac`, `3 computers changed: room (pc-1 and others)`. */
function describeEdit(kind: string, name: string, count: number, changed: string): string {
  return count === 1 ? `${kind} ${name} ${changed}` : `${count} ${kind}s ${changed} (${name} and others)`
}

/** `room Studio with 12 computers`, `12 computers (pc-1 and others)`, `import of 12 new computers (pc-1 and others)`. */
function describe({ kind, name, counts }: Pick<UndoItem, 'kind' | 'name' | 'counts'>): string {
  const own = Object.keys(counts).find(key => words[key]?.[0] === kind || `${kind}s` === key)
  const parts = Object.entries(counts).flatMap(([key, count]) => {
    const [one, several] = words[key] ?? []
    return key === own || one === undefined ? [] : `${count} ${count === 1 ? one : several}`
  })
  const others = parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
  const examples = (count: number) => (name === '' ? '' : count === 1 ? ` (${name})` : ` (${name} and others)`)
  if (kind === 'import') return `import of ${others}${examples((counts.added ?? 0) + (counts.changed ?? 0))}`
  const count = own === undefined ? 1 : (counts[own] ?? 1)
  const subject = count === 1 ? `${kind} ${name}` : `${count} ${kind}s${examples(count)}`
  return others === '' ? subject : `${subject} with ${others}`
}
