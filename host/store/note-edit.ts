// Says in the audit log what an edit has changed that cannot be taken back.
import { isDeepStrictEqual } from 'node:util'
import type { Changer } from '../contract/services.ts'
import { type NamedStore, readNames } from './named-ids.ts'
import { doneOf, inShort, valuesOf, whatOf } from './undo-words.ts'

type Named = Readonly<{ id: number; name: string }>

interface Edited {
  kind: 'group' | 'repository' | 'token' | 'user'
  before: Named
  after: Named
}

/** Not set by callers. */
const ownKeys = ['id', 'created', 'by', 'used']

export async function noteEdit(changer: Changer | undefined, edited: Edited, store: NamedStore): Promise<void> {
  if (!changer?.about) return
  const { kind, after } = edited
  const changes = changesOf(edited)
  const fields = changes.map(({ field }) => field)
  const about = { kind, record: after.id, name: after.name, counts: {} }
  const item = changes.length > 0 ? { ...about, counts: { changed: 1 }, fields, changes } : about
  // The edit is stored, also when names cannot be read now: there are the ids then.
  const nameOf = await readNames(store, fields).catch(() => () => undefined)
  const change = inShort(doneOf(item, nameOf))
  changer.about(whatOf(item) + valuesOf(change), { change })
}

function changesOf({ kind, before, after }: Edited) {
  const about = { kind, record: after.id, name: after.name }
  return Object.keys({ ...before, ...after }).flatMap(field => {
    const [value, next]: unknown[] = [before, after].map(row => Reflect.get(row, field))
    if (ownKeys.includes(field) || isDeepStrictEqual(value, next)) return []
    if (field === 'hash') return { ...about, field: 'password', before: '…', after: '…' }
    return { ...about, field, before: value ?? null, after: next ?? null }
  })
}
