// Conformance of the adapter `memory`.
import open from '../../stores/memory/index.ts'
import { conformance } from '../conformance/index.ts'

const log = { info() {}, warn() {} }

conformance('memory', async () => {
  const store = await open({ adapter: 'memory', path: '' }, log)
  return { store, remove: () => store.close() }
}).run()
