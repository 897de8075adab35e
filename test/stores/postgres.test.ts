// Conformance of the adapter `postgres`, against a real server.
import { fileURLToPath } from 'node:url'
import open from '../../stores/postgres/index.ts'
import type { StoreLimits } from '../../stores/store.ts'
import { conformance, durability, outputLimits } from '../conformance/index.ts'
import type { PersistentStore } from '../conformance/rule.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { silent } from '../harness/store-folders.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

/** Path of the adapter's file. */
const adapter = fileURLToPath(new URL('../../stores/postgres/index.ts', import.meta.url))

const server = await startPostgres()
// The last suite may be any of them: the server ends with the process.
process.once('beforeExit', () => server.stop())

let stores = 0

async function openNew(limits?: StoreLimits): Promise<PersistentStore> {
  stores += 1
  const options = { ...server.storeOptions(`store_${stores}`), path: '' }
  const opened = {
    adapter,
    options,
    store: await open(options, silent, limits),
    async reopen() {
      await opened.store.close()
      opened.store = await open(options, silent, limits)
      return opened.store
    },
    remove: () => opened.store.close(),
  }
  return opened
}

conformance('postgres', openNew).run()
outputLimits('postgres', openNew).run()
durability('postgres', openNew).run()
