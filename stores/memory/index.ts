// The adapter `memory`: keeps everything in memory only, for tests and trials.
import { refuseUnknownKeys } from '../check-options.ts'
import type { OpenStore } from '../store.ts'
import { createStore } from './store.ts'
import { createTables } from './tables/tables.ts'

const open: OpenStore = async options => {
  refuseUnknownKeys(options, [])
  return { ...createStore(createTables(), async () => {}), async close() {} }
}

export default open
