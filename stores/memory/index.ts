// The adapter `memory`: keeps everything in memory only, for tests and trials.
import { defaultLimits, refuseUnknownKeys } from '../check-options.ts'
import type { OpenStore } from '../store.ts'
import { MemoryOutputs } from './memory-outputs.ts'
import { createStore } from './store.ts'
import { createTables } from './tables/tables.ts'

const open: OpenStore = async (options, _log, limits = defaultLimits) => {
  refuseUnknownKeys(options, [])
  const tables = createTables()
  const outputs = new MemoryOutputs(tables, limits)
  return { ...createStore(tables, outputs, async () => outputs.deleteOld()), async close() {} }
}

export default open
