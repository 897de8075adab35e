// The callers of the benchmark: a process that sends requests over bare sockets and reads no more of an answer than it must.
import { connect, type Socket } from 'node:net'
import { now, serve } from './child.ts'

export interface Load {
  port: number
  /** Whole requests, in bytes of one character each; the callers take them in turn. */
  requests: string[]
  callers: number
  /** Otherwise each request has a connection of its own, which the server closes. */
  keepAlive: boolean
  milliseconds: number
  /** Each request is sent once at most. */
  once?: boolean
}

export interface Served {
  requests: number
  /** Answers that were not 200, and connections that broke. */
  failed: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** Calls `done` with the status when a whole answer has come; the next one may follow on the same socket. */
function readAnswers(socket: Socket, done: (status: string) => void): void {
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

function run({ port, requests, callers, keepAlive, milliseconds, once = false }: Load): Promise<Served> {
  const latencies: number[] = []
  let failed = 0
  let next = 0
  const began = now()
  const take = () => {
    if (now() - began > milliseconds || (once && next >= requests.length)) return undefined
    next += 1
    return requests[(next - 1) % requests.length]
  }
  // Addresses of their own: one address may run out of ports.
  const open = (caller: number) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${caller + 1}`, noDelay: true })

  const callOnOne = (caller: number) =>
    new Promise<void>(resolve => {
      const socket = open(caller)
      let sent = 0
      const send = () => {
        const request = take()
        if (request === undefined) return void socket.destroy()
        sent = now()
        socket.write(request, 'latin1')
      }
      readAnswers(socket, status => {
        latencies.push(now() - sent)
        if (status !== '200') failed += 1
        send()
      })
      socket.on('connect', send)
      socket.on('error', () => {
        failed += 1
      })
      socket.on('close', () => resolve())
    })

  const callOnMany = async (caller: number) => {
    for (let request = take(); request !== undefined; request = take()) {
      const sent = now()
      const status = await new Promise<string>(resolve => {
        let answer = ''
        const socket = open(caller)
        socket.write(request ?? '', 'latin1')
        readAnswers(socket, read => {
          answer = read
          latencies.push(now() - sent)
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(answer))
      })
      if (status !== '200') failed += 1
    }
  }

  const calling = Array.from({ length: callers }, (_, caller) => (keepAlive ? callOnOne(caller) : callOnMany(caller)))
  return Promise.all(calling).then(() => {
    const seconds = (now() - began) / 1000
    const sorted = latencies.toSorted((a, b) => a - b)
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
    const requests = latencies.length
    return { requests, failed, perSecond: requests / seconds, p50: at(0.5), p99: at(0.99) }
  })
}

export type Callers = typeof calls
const calls = serve({ run })
