// The tables of what the store keeps for modules.
import { compareCodePoints } from '../../rules/code-points.ts'
import type { Document, DocumentKey } from '../../store.ts'
import type { Index } from './indexes.ts'
import type { Rows } from './row-types.ts'
import { SortedGroups } from './sorted-groups.ts'
import { Table } from './table.ts'

/** No name has the character between. */
export const collectionKey = ({ pack, collection }: Omit<DocumentKey, 'key'>): string => `${pack}\0${collection}`
export const documentKey = (key: DocumentKey): string => `${collectionKey(key)}\0${key.key}`

export const documentBytes = ({ key, value }: Pick<Document, 'key' | 'value'>): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value)

interface Size {
  documents: number
  bytes: number
}

export class PackSizes {
  readonly #sizes = new Map<string, Size>()

  readonly update: Index<Rows['documents']> = (before, after) => {
    if (after) this.#add(after, 1)
    if (before) this.#add(before, -1)
  }

  of(pack: string): Size | undefined {
    return this.#sizes.get(pack)
  }

  /** By name. */
  list(): ({ pack: string } & Size)[] {
    const sizes = Array.from(this.#sizes, ([pack, size]) => ({ pack, ...size }))
    return sizes.sort((a, b) => compareCodePoints(a.pack, b.pack))
  }

  #add(row: Rows['documents'], sign: 1 | -1): void {
    const { documents = 0, bytes = 0 } = this.#sizes.get(row.pack) ?? {}
    if (documents + sign === 0) this.#sizes.delete(row.pack)
    else this.#sizes.set(row.pack, { documents: documents + sign, bytes: bytes + sign * documentBytes(row) })
  }
}

export function createModuleTables() {
  const collections = new SortedGroups<Rows['documents']>({
    groupOf: collectionKey,
    compare: (a, b) => compareCodePoints(a.key, b.key),
  })
  const packSizes = new PackSizes()
  const eventOrder = new SortedGroups<Rows['events']>({ groupOf: () => '', compare: (a, b) => a.id - b.id })
  const all = {
    documents: new Table<Rows['documents']>(documentKey, [collections.update, packSizes.update]),
    events: new Table<Rows['events']>(undefined, [eventOrder.update]),
    losses: new Table<Rows['losses']>(),
  }
  return { all, indexes: { collections, packSizes, eventOrder } }
}
