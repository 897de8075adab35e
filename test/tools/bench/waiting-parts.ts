// Measures the memory of parts that wait for computers that are off, and the start of the daemon with them.
//
//   node --expose-gc --import tsx test/tools/bench/waiting-parts.ts [--runs 10] [--clients 1000] [--steps 100]
import { parseArgs } from 'node:util'
import { startTestHost } from '../../harness/test-host.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    clients: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '100' },
  },
})
const [runs, clientCount, stepCount] = [Number(values.runs), Number(values.clients), Number(values.steps)]
const parts = runs * clientCount * stepCount
const limits = { waiting_parts: 2 * parts, waiting_parts_per_caller: 2 * parts, run_parts: parts, jobs_count: runs }
const options = { store: { path: './data' }, limits }

const addrs = Array.from({ length: clientCount }, (_, index) => `127.20.${index >> 8}.${index & 255}`)
const rows = addrs.map(
  (ip, index) => `pc-${index},${ip},${(0x02_20_00_00_00_00 + index).toString(16).padStart(12, '0')},none\n`,
)
const params = { run: 'true', echo: true }

const before = await startTestHost({ options })
await before.call('POST /center/add', { name: 'Center' })
await before.call('POST /room/add', { name: 'Room', netmask: '255.0.0.0', center: 1 })
for (let from = 0; from < rows.length; from += 1000) {
  const text = `name,ip,mac,boot\n${rows.slice(from, from + 1000).join('')}`
  await before.call('POST /client/import', { format: 'csv', room: 1, text })
}
const steps = Array.from({ length: stepCount }, () => ({ command: 'shell-run', params }))
await before.call('POST /procedure/add', { center: '1', name: 'Steps', steps })
const empty = await memory()
const began = performance.now()
for (let run = 0; run < runs; run += 1) {
  const { status, headers } = await before.call('POST /procedure/run', { clients: addrs, procedure: '1' })
  if (status !== 200) throw new Error(`run ${run}: expected 200, got ${status}, ${headers['x-reason']}`)
}
const queued = performance.now() - began
show('after the runs', (await memory()) - empty)
console.log(`${(queued / runs).toFixed(0)} ms a run`)
const { folder } = before
await before.stop('keep')

const stopped = await memory()
const starting = performance.now()
const after = await startTestHost({ options, folder })
console.log(`start: ${(performance.now() - starting).toFixed(0)} ms`)
show('after the start, with the computers', (await memory()) - stopped)
await after.stop()

function show(when: string, bytes: number): void {
  console.log(
    `${when}: ${(bytes / 2 ** 20).toFixed(1)} MB, ${(bytes / parts).toFixed(1)} bytes for each of ${parts} parts`,
  )
}

/** Bytes of objects and buffers that are in use. */
async function memory(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise(setImmediate)
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
