// Backups: whether a store is like a new one, and dumps.

import { collectionOrder } from '../../rules/collection-order.ts'
import { lastFixedId, toFilesystemRow } from '../../rules/filesystem-names.ts'
import type { Collections, Entry, Store } from '../../store.ts'
import type { Database, Snapshot } from '../connection/database.ts'
import { collectionTables } from '../records/collection-tables.ts'
import { readLastIds } from '../records/last-ids.ts'
import { readPartitions, readParts, readRows } from './dump-pages.ts'
import { load } from './load.ts'

/** Milliseconds until a dump that nobody reads is ended: it keeps a connection, and deleted rows on the disk. */
const unreadTime = 60_000

type LastIds = Map<string, number>

export function backup(database: Database): Store['backup'] {
  const tables = Object.values(collectionTables).map(({ table }) => table)
  return {
    async isEmpty() {
      const lastIds = await readLastIds(database.read, tables)
      return [...lastIds].every(([table, last]) => last === (lastIdsOfNew[table] ?? 0))
    },
    dump() {
      const begun = database.snapshot(statements => readLastIds(statements, tables))
      const timer = setTimeout(() => end(begun), unreadTime).unref()
      // A dump that could not begin rejects for its reader.
      begun.catch(() => clearTimeout(timer))
      return generateEntries(begun, timer)
    },
    load: dump => load(database, dump),
  }
}

/** The ids of the rows that a new store has. */
const lastIdsOfNew: Readonly<Record<string, number>> = { repositories: 1, filesystems: lastFixedId }

const end = (begun: Promise<Snapshot<LastIds>>) =>
  begun.then(
    snapshot => snapshot.end(),
    () => {},
  )

async function* generateEntries(begun: Promise<Snapshot<LastIds>>, timer: NodeJS.Timeout): AsyncGenerator<Entry> {
  clearTimeout(timer)
  const { statements, first } = await begun
  try {
    for (const name of collectionOrder) {
      if (name === 'partitions') yield* readPartitions(statements)
      else if (name === 'parts') yield* readParts(statements)
      else {
        const last = toLastId(name, first.get(collectionTables[name].table) ?? 0)
        if (last > 0) yield [name, last]
        yield* readRows(statements, name)
      }
    }
  } finally {
    await end(begun)
  }
}

const toLastId = (name: keyof Collections, last: number) => (name === 'filesystems' ? toFilesystemRow(last) : last)
