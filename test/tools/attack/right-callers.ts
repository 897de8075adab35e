// Child process with callers that have a right token, and how long their responses take.
import { Agent as Connections, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { serveParent } from '../bench/processes/child-process.ts'

export interface RightCallers {
  port: number
  /** One caller for each. */
  tokens: string[]
  /** The computer that they read. */
  addr: string
}

export interface RightResponses {
  count: number
  /** Milliseconds. */
  p99: number
  /** Responses that were not 200. */
  failed: number
}

/** Milliseconds between two requests of a caller. */
const interval = 20

let latencies: number[] = []
let failed = 0

async function callForever({ port, addr }: RightCallers, token: string): Promise<void> {
  const connection = new Connections({ keepAlive: true, maxSockets: 1 })
  const body = JSON.stringify({ client: [addr] })
  const headers = { Authorization: token, 'Content-Length': Buffer.byteLength(body) }
  const options = { host: '127.0.0.1', port, method: 'GET', path: '/client/info', agent: connection, headers }
  const call = () =>
    new Promise<number | undefined>(resolve => {
      const outgoing = request(options, response => {
        response.resume().on('error', () => resolve(undefined))
        response.on('end', () => resolve(response.statusCode))
      })
      outgoing.on('error', () => resolve(undefined)).end(body)
    })
  for (let due = performance.now(); ; due += interval) {
    await wait(Math.max(0, due - performance.now()))
    // From the time at which it was due, so that a request that waits for the one before counts that too.
    const status = await call()
    latencies.push(performance.now() - due)
    if (status !== 200) failed += 1
  }
}

export type RightCallersProcess = typeof calls
const calls = serveParent({
  start(callers: RightCallers): void {
    for (const token of callers.tokens) void callForever(callers, token)
  },
  /** Since the last report. */
  report(): RightResponses {
    const sorted = latencies.toSorted((a, b) => a - b)
    const result = { count: sorted.length, p99: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0, failed }
    latencies = []
    failed = 0
    return result
  },
})
