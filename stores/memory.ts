// The adapter that keeps everything in memory and nothing beyond the process: for tests and trials.
import { refuseUnknownKeys } from './check-options.ts'
import { records } from './memory/store.ts'
import { createTables } from './memory/tables/tables.ts'
import type { OpenStore } from './store.ts'

const open: OpenStore = async options => {
  refuseUnknownKeys(options, [])
  return { ...records(createTables(), async () => {}), async close() {} }
}

export default open
