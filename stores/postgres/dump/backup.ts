// Backups: whether a store is like a new one, and dumps.

import { collectionOrder } from '../../rules/collection-order.ts'
import type { Entry, Store } from '../../store.ts'
import type { Database, Snapshot } from '../connection/database.ts'
import { type LastIds, readLastIds } from '../records/last-ids.ts'
import { readPartitions, readParts, readRows } from './dump-pages.ts'
import { load } from './load.ts'

/** Milliseconds until a dump that nobody reads is ended: it keeps a connection, and deleted rows on the disk. */
const unreadTime = 60_000

export function backup(database: Database): Store['backup'] {
  return {
    async isEmpty() {
      const lastIds = await readLastIds(database.read)
      return [...lastIds].every(([name, last]) => last === (name === 'repositories' ? 1 : 0))
    },
    dump() {
      const begun = database.snapshot(readLastIds)
      const timer = setTimeout(() => end(begun), unreadTime).unref()
      // A dump that could not begin rejects for its reader.
      begun.catch(() => clearTimeout(timer))
      return generateEntries(begun, timer)
    },
    load: dump => load(database, dump),
  }
}

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
        const last = first.get(name) ?? 0
        if (last > 0) yield [name, last]
        if (name !== 'events') yield* readRows(statements, name)
      }
    }
  } finally {
    await end(begun)
  }
}
