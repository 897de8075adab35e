// Names what one change has deleted and added, as numbers of records say little.
import { groupBy } from '../../stores/rules/group-by.ts'
import type { Store } from '../../stores/store.ts'
import type { UndoEntry } from '../contract/services.ts'

/** So many names fit into a response, whatever they are. */
const mostNames = 500

interface Named {
  kind: string
  name: string
}

export async function nameRecords(
  id: number,
  { undo, computers }: Pick<Store, 'undo' | 'computers'>,
): Promise<Pick<UndoEntry, 'back' | 'gone'>> {
  const { removed = [], added = [] } = (await undo.names(id)) ?? {}
  const ids = new Set(added)
  const present = added.length === 0 ? [] : await computers.list()
  const named = groupBy(present, ({ name }) => name)
  const gone = present
    .filter(({ id }) => ids.has(id))
    .map(({ name, ip }) => ({ kind: 'computer', name: named.get(name)?.length === 1 ? name : `${name} (${ip})` }))
  return {
    ...(removed.length > 0 && { back: toNames(removed) }),
    ...(gone.length > 0 && { gone: toNames(gone) }),
  }
}

function toNames(records: readonly Named[]): NonNullable<UndoEntry['back']> {
  let free = mostNames
  return Array.from(
    groupBy(records, ({ kind }) => kind),
    ([kind, rows]) => {
      const names = rows.slice(0, free).map(({ name }) => name)
      free -= names.length
      return { kind, count: rows.length, names }
    },
  )
}
