// The adapter that keeps everything in memory and nothing beyond the process: for tests and trials.
import { refuseUnknownKeys } from './options.ts'
import { records } from './records/records.ts'
import { createTables } from './records/tables.ts'
import type { OpenStore } from './store.ts'

const open: OpenStore = async options => {
  refuseUnknownKeys(options, [])
  return { ...records(createTables(), async () => {}), async close() {} }
}

export default open
