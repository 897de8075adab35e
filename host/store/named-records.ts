// The names of the records of one change, for the audit log: it is searched for them.
import type { Store, UndoItem } from '../../stores/store.ts'

/** They make no long line, whatever they are. */
const mostNames = 50

/** What was deleted, and the computers that were added or edited; nothing of a change of one record. */
export async function namesOfChange(
  { id, counts: { undone: _, ...counts } }: UndoItem,
  { undo, computers }: Pick<Store, 'undo' | 'computers'>,
): Promise<{ names?: string[] }> {
  if (Object.values(counts).reduce((sum, count) => sum + count, 0) < 2) return {}
  const { removed = [], added = [], edited = [] } = (await undo.names(id)) ?? {}
  const ids = [...added, ...edited.flatMap(({ kind, record }) => (kind === 'computer' ? record : []))]
  const present = ids.length === 0 ? [] : await computers.list()
  const nameOf = new Map(present.map(({ id, name }) => [id, name]))
  const names = [...removed.map(({ name }) => name), ...ids.flatMap(each => nameOf.get(each) ?? [])]
  return names.length > 1 ? { names: names.slice(0, mostNames) } : {}
}
