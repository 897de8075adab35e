// Conformance of the adapter `memory`.
import open from '../../stores/memory/index.ts'
import type { StoreLimits } from '../../stores/store.ts'
import { conformance, outputLimits } from '../conformance/index.ts'

const log = { info() {}, warn() {} }

async function openStore(limits?: StoreLimits) {
  const store = await open({ adapter: 'memory', path: '' }, log, limits)
  return { store, remove: () => store.close() }
}

conformance('memory', openStore).run()
outputLimits('memory', openStore).run()
