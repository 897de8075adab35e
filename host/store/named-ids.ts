// The names of the records that others name by ids, for people who read of changes.
import type { Frozen, KeptStore } from '../../stores/store.ts'

/** The name of what the id under that key of a record names, if it is there. */
export type NameOf = (key: string, id: unknown) => string | undefined

/** Keys of records with the id of another record. */
const references = ['center', 'room', 'repo_id']

/** For the values of an edit of these fields. */
export async function readNames(
  store: Pick<KeptStore, 'scopes' | 'repositories'>,
  fields: readonly string[] = references,
): Promise<NameOf> {
  if (!fields.some(field => references.includes(field))) return () => undefined
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
