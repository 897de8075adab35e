// The tests of connections, sizes, times and refusals once more, with each connection over TLS.
import { transport } from '../harness/transport.ts'

transport.isSecure = true

// With this, uvu waits until all files are loaded: each of them awaits its host.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: [[null]] })
const { exec } = await import('uvu')

for (const file of [
  'limits',
  'methods',
  'pipelining',
  'processing-order',
  'slow-sender',
  'stall',
  'token',
  'unknown-callers',
  'wire',
]) {
  await import(`./${file}.test.ts`)
}
await exec()
