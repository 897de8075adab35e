// The names of the records that others name by ids, for people who read of changes.
import type { Frozen, KeptStore } from '../../stores/store.ts'

/** The name of what the id under that key of a record names, if it is there. */
export type NameOf = (key: string, id: unknown) => string | undefined

/** Keys of records with the id of another record, or with a list of them. */
const references = ['center', 'room', 'repo_id', 'centers', 'rooms', 'groups']

export type NamedStore = Pick<KeptStore, 'scopes' | 'repositories' | 'groups'>

/** For the values of an edit of these fields. */
export async function readNames(store: NamedStore, fields: readonly string[] = references): Promise<NameOf> {
  if (!fields.some(field => references.includes(field))) return () => undefined
  const [scopes, repositories, groups] = await Promise.all([
    store.scopes(),
    store.repositories.list(),
    store.groups.list(),
  ])
  const toNames = (records: Frozen<{ id: number; name: string }[]>) =>
    new Map<unknown, string>(records.map(({ id, name }) => [id, name]))
  const [centers, rooms] = [toNames(scopes), toNames(scopes.flatMap(({ scope }) => scope))]
  const names = new Map([
    ['center', centers],
    ['room', rooms],
    ['repo_id', toNames(repositories)],
    ['centers', centers],
    ['rooms', rooms],
    ['groups', toNames(groups)],
  ])
  return (key, id) => names.get(key)?.get(id)
}
