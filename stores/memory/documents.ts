// Documents of packs.
import { records } from '../records/all-records.ts'
import { compareCodePoints } from '../rules/code-points.ts'
import type { Document, Documents } from '../store.ts'
import { collectionKey, documentBytes, documentKey } from './tables/module-tables.ts'
import type { Rows } from './tables/row-types.ts'
import { firstIndex } from './tables/sorted-groups.ts'
import type { StoreContext } from './tables/transaction.ts'

export function documents({ tables, mutate }: StoreContext): Documents {
  const { all, collections, packSizes } = tables
  return {
    async find(key) {
      const row = all.documents.at(documentKey(key))
      return row && toDocument(row)
    },
    put: (document, { version, mostBytes } = {}) =>
      mutate(transaction => {
        const before = all.documents.at(documentKey(document))
        if (version !== undefined && version !== (before?.version ?? 0)) return 'conflict'
        const { bytes = 0 } = packSizes.of(document.pack) ?? {}
        const added = documentBytes(document) - (before ? documentBytes(before) : 0)
        if (mostBytes !== undefined && added > 0 && bytes + added > mostBytes) return 'full'
        const row = { ...document, id: before?.id ?? all.documents.nextId(), version: (before?.version ?? 0) + 1 }
        transaction.put('documents', records.documents.store(row))
        return row.version
      }),
    delete: (key, version) =>
      mutate(transaction => {
        const row = all.documents.at(documentKey(key))
        if (!row || (version !== undefined && version !== row.version)) return false
        transaction.delete('documents', row.id)
        return true
      }),
    async list(collection, { prefix = '', after, limit }) {
      const rows = collections.rows(collectionKey(collection), all.documents.all())
      const isListed = ({ key }: Rows['documents']) =>
        compareCodePoints(key, prefix) >= 0 && (after === undefined || compareCodePoints(key, after) > 0)
      const from = firstIndex(rows, isListed)
      const page = rows.slice(from, from + limit)
      const end = page.findIndex(({ key }) => !key.startsWith(prefix))
      return (end < 0 ? page : page.slice(0, end)).map(toDocument)
    },
    sizes: async () => packSizes.list(),
    purge: pack =>
      mutate(transaction => {
        const rows = [...all.documents.all()].filter(row => row.pack === pack)
        if (rows.length > 0) collections.forget()
        for (const { id } of rows) transaction.delete('documents', id)
        return rows.length
      }),
  }
}

function toDocument(row: Rows['documents']): Document {
  const { id: _, ...document } = records.documents.read(row)
  return document
}
