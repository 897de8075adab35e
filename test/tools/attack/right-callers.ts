// Child process with callers that have right tokens, and measures what they notice while others guess tokens.
import { Agent as Connections } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { call } from '../../harness/rest-call.ts'
import { quantile } from '../bench/measurement.ts'
import { serveParent } from '../bench/processes/child-process.ts'

interface Callers {
  port: number
  /** One caller for each. */
  tokens: string[]
  /** The computer that they read. */
  addr: string
}

/** Milliseconds between two requests of a caller. */
const interval = 20

let latencies: number[] = []
let failed = 0

async function callForever({ port, addr }: Callers, token: string): Promise<void> {
  const agent = new Connections({ keepAlive: true, maxSockets: 1 })
  const headers = { Authorization: token }
  for (let due = performance.now(); ; due += interval) {
    await wait(Math.max(0, due - performance.now()))
    // From the time at which it was due, so that a request that waits for the one before counts that too.
    const response = await call(port, 'GET /client/info', { client: [addr] }, headers, { agent }).catch(() => undefined)
    latencies.push(performance.now() - due)
    if (response?.status !== 200) failed += 1
  }
}

export type RightCallers = typeof calls
const calls = serveParent({
  start(callers: Callers): void {
    for (const token of callers.tokens) void callForever(callers, token)
  },
  /** Since the last report; `p99`: milliseconds. */
  report() {
    const result = { count: latencies.length, p99: latencies.length === 0 ? 0 : quantile(latencies, 0.99), failed }
    latencies = []
    failed = 0
    return result
  },
})
