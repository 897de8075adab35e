// Child process with the benchmark's callers: sends requests over plain sockets and parses as little as possible.
import { connect, type Socket } from 'node:net'
import { now, serveParent } from './child-process.ts'

export interface Load {
  port: number
  /** Complete requests in latin1; the callers share the list. */
  requests: string[]
  callers: number
  /** False: each request has a connection of its own, which the server closes. */
  keepAlive: boolean
  milliseconds: number
  /** Send each request at most once. */
  once?: boolean
}

export interface LoadResult {
  requests: number
  /** Responses other than 200, and broken connections. */
  failed: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** Calls `done` with the status after each complete response on the socket. */
function onResponses(socket: Socket, done: (status: string) => void): void {
  let head = ''
  let status = ''
  let missing = -1
  socket.on('data', chunk => {
    if (missing < 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const [, length = '0'] = /\r\nContent-Length: (\d+)/i.exec(head.slice(0, end + 2)) ?? []
      status = head.slice(9, 12)
      missing = Number(length) - (head.length - end - 4)
      head = ''
    } else missing -= chunk.length
    if (missing > 0) return
    missing = -1
    done(status)
  })
}

/** Returns the next request to send; undefined when the load is over. */
type NextRequest = () => string | undefined

/** What all callers of one load have measured. */
interface Counters {
  latencies: number[]
  failed: number
}

async function run({ port, requests, callers, keepAlive, milliseconds, once = false }: Load): Promise<LoadResult> {
  const counters: Counters = { latencies: [], failed: 0 }
  let sent = 0
  const began = now()
  const nextRequest = () => {
    if (now() - began > milliseconds || (once && sent >= requests.length)) return undefined
    sent += 1
    return requests[(sent - 1) % requests.length]
  }
  const callOn = keepAlive ? callOnOneConnection : callOnManyConnections
  await Promise.all(
    Array.from({ length: callers }, (_, caller) => callOn(() => open(port, caller), nextRequest, counters)),
  )
  const seconds = (now() - began) / 1000
  const sorted = counters.latencies.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  const count = sorted.length
  return { requests: count, failed: counters.failed, perSecond: count / seconds, p50: at(0.5), p99: at(0.99) }
}

/** Each caller has an address of its own, since one address may run out of ports. */
function open(port: number, caller: number): Socket {
  return connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${caller + 1}`, noDelay: true })
}

function callOnOneConnection(connectCaller: () => Socket, nextRequest: NextRequest, counters: Counters): Promise<void> {
  return new Promise(resolve => {
    const socket = connectCaller()
    let sentAt = 0
    const send = () => {
      const request = nextRequest()
      if (request === undefined) return void socket.destroy()
      sentAt = now()
      socket.write(request, 'latin1')
    }
    onResponses(socket, status => {
      counters.latencies.push(now() - sentAt)
      if (status !== '200') counters.failed += 1
      send()
    })
    socket.on('connect', send)
    socket.on('error', () => {
      counters.failed += 1
    })
    socket.on('close', () => resolve())
  })
}

async function callOnManyConnections(
  connectCaller: () => Socket,
  nextRequest: NextRequest,
  counters: Counters,
): Promise<void> {
  for (let request = nextRequest(); request !== undefined; request = nextRequest()) {
    const text = request
    const sentAt = now()
    const status = await new Promise<string>(resolve => {
      let received = ''
      const socket = connectCaller()
      socket.write(text, 'latin1')
      onResponses(socket, responseStatus => {
        received = responseStatus
        counters.latencies.push(now() - sentAt)
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
    })
    if (status !== '200') counters.failed += 1
  }
}

export type Callers = typeof calls
const calls = serveParent({ run })
