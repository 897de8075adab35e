// Documents of packs.
import type { Document, DocumentKey, Documents } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { type Sql, sql } from '../connection/sql.ts'
import { tables } from '../records/tables.ts'
import { encodeText } from '../text.ts'

const columns = sql<Document>`select pack, collection, key, value, version from documents`

const isIn = ({ pack, collection }: Omit<DocumentKey, 'key'>): Sql => sql`pack = ${pack} and collection = ${collection}`
const isAt = (key: DocumentKey): Sql => sql`${isIn(key)} and key = ${key.key}`

/** The index finds these keys, unless the prefix has a last character that is not of ASCII: it then finds where they begin. */
function hasPrefix(prefix: string): Sql {
  const last = prefix.charCodeAt(prefix.length - 1)
  const isSimple = last >= 0x20 && last < 0x7f
  const next = prefix.slice(0, -1) + String.fromCharCode(last + 1)
  return sql`key >= ${prefix} and ${isSimple ? sql`key < ${next}` : sql`starts_with(key, ${prefix})`}`
}

const bytes = sql`octet_length(key) + octet_length(value)`

const byteLength = (text: string): number => Buffer.byteLength(encodeText(text))

interface Stored {
  id: number
  version: number
  bytes: number
}

export function documents({ read, transaction }: Database): Documents {
  return {
    find: key => sql<Document>`${columns} where ${isAt(key)}`.first(read),
    put(document, { version, mostBytes } = {}) {
      return transaction(async statements => {
        const packBytes = await lockPack(statements, document.pack)
        const stored = await findStored(statements, document)
        const next = (stored?.version ?? 0) + 1
        if (version !== undefined && version !== next - 1) return 'conflict'
        const size = byteLength(document.key) + byteLength(document.value)
        const added = size - (stored?.bytes ?? 0)
        if (mostBytes !== undefined && added > 0 && packBytes + added > mostBytes) return 'full'
        const write = stored
          ? sql`update documents set value = ${document.value}, version = ${next} where id = ${stored.id} returning id`
          : tables.documents.insertion(tables.documents.row({ ...document, version: next }))
        await write.run(statements)
        await resize(statements, document.pack, { documents: stored ? 0 : 1, bytes: added })
        return next
      })
    },
    delete(key, version) {
      return transaction(async statements => {
        await lockPack(statements, key.pack)
        const stored = await findStored(statements, key)
        if (!stored || (version !== undefined && version !== stored.version)) return false
        await sql`delete from documents where id = ${stored.id}`.run(statements)
        await resize(statements, key.pack, { documents: -1, bytes: -stored.bytes })
        return true
      })
    },
    list: (collection, { prefix = '', after, limit }) =>
      sql<Document>`
        ${columns}
        where ${isIn(collection)} and ${hasPrefix(prefix)} and ${after === undefined ? sql`true` : sql`key > ${after}`}
        order by key limit ${limit}
      `.all(read),
    sizes: () =>
      sql<Size>`select pack, documents, bytes from document_sizes where documents > 0 order by pack`.all(read),
    purge(pack) {
      return transaction(async statements => {
        await lockPack(statements, pack)
        const deleted = await sql`delete from documents where pack = ${pack}`.run(statements)
        await sql`delete from document_sizes where pack = ${pack}`.run(statements)
        return deleted
      })
    },
  }
}

type Size = Awaited<ReturnType<Documents['sizes']>>[number]

/** The bytes of the pack's documents, which nobody else changes until the end of the transaction. */
async function lockPack(statements: Statements, pack: string): Promise<number> {
  await sql`insert into document_sizes values (${pack}, 0, 0) on conflict do nothing`.run(statements)
  const size = sql<Pick<Size, 'bytes'>>`select bytes from document_sizes where pack = ${pack} for update`
  return (await size.one(statements)).bytes
}

const findStored = (statements: Statements, key: DocumentKey): Promise<Stored | undefined> =>
  sql<Stored>`select id, version, ${bytes} as bytes from documents where ${isAt(key)}`.first(statements)

const resize = (statements: Statements, pack: string, by: Omit<Size, 'pack'>): Promise<number> =>
  sql`
    update document_sizes set documents = documents + ${by.documents}, bytes = bytes + ${by.bytes} where pack = ${pack}
  `.run(statements)

/** After a load. */
export async function countDocuments(statements: Statements): Promise<void> {
  await sql`delete from document_sizes`.run(statements)
  await sql`insert into document_sizes select pack, count(*), sum(${bytes}) from documents group by pack`.run(
    statements,
  )
}
