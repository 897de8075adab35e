// What a change that can be taken back is for callers.
import type { Frozen, Store, UndoItem } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import type { UndoEntry } from '../contract/services.ts'
import { binDays } from '../store/undo-bin.ts'

const dayMilliseconds = 86_400_000

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
}

/** The name of what the id under that key of a record names, if it is there. */
export type NameOf = (key: string, id: unknown) => string | undefined

export async function readNames(store: Pick<Store, 'scopes' | 'repositories'>): Promise<NameOf> {
  const [centers, repositories] = await Promise.all([store.scopes(), store.repositories.list()])
  const toNames = (records: Frozen<{ id: number; name: string }[]>) =>
    new Map<unknown, string>(records.map(({ id, name }) => [id, name]))
  const names = new Map([
    ['center', toNames(centers)],
    ['room', toNames(centers.flatMap(({ scope }) => scope))],
    ['repo_id', toNames(repositories)],
  ])
  return (key, id) => names.get(key)?.get(id)
}

export function describeChange(
  { id, at, by, kind, record, name, counts, fields, changes }: UndoItem,
  nameOf: NameOf,
  { directory, keep_days: fileDays }: Pick<Options['repository'], 'directory' | 'keep_days'>,
): UndoEntry {
  // An image does not come back without its file.
  const days = kind === 'image' && directory !== '' ? Math.min(binDays, fileDays) : binDays
  return {
    id,
    at: new Date(at).toISOString(),
    expires: new Date(at + days * dayMilliseconds).toISOString(),
    by,
    // `as`: the store has only these.
    kind: kind as UndoEntry['kind'],
    ...(record > 0 && { record }),
    name,
    counts,
    ...(fields && { fields: [...fields] }),
    ...(changes && {
      changes: changes.map(({ before, after, ...change }) => {
        const { field } = change
        return { ...change, before: nameOf(field, before) ?? before, after: nameOf(field, after) ?? after }
      }),
    }),
    what: fields
      ? undoWord(counts.undone) +
        describeEdit(kind, name, countOf(kind, counts.changed, changes), editWord(fields, changes, counts.undone))
      : describe({ kind, name, counts }),
  }
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
