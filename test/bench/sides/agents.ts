// The simulated agents of the benchmark: a process with a bare socket each, which answer as real ones do.
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { now, serve } from './child.ts'
import { answerOf, refreshAnswer, seatOf } from './seats.ts'

interface LabAgent {
  index: number
  socket: Socket
  /** What has come of a request that is not complete. */
  rest: string
}

interface Connect {
  port: number
  count: number
  /** How many connect at the same time. */
  atOnce: number
  /** A real daemon asks each for its inventory first; a bare one says nothing. */
  round?: number
}

let agents: LabAgent[] = []
let isLeaving = false
let closed = 0
/** Holds all answers back until they are released. */
let held: { asked: [LabAgent, string][]; last?: number } | undefined
const receipts = new EventEmitter()
const patience = 60_000 // ms until requests that some agents have not received are given up

function take(agent: LabAgent, bytes: Buffer, round: number, refreshed: () => void): void {
  const text = agent.rest + bytes.toString('latin1')
  const head = text.indexOf('\r\n\r\n')
  const [, length = '0'] = /\r\nContent-Length: (\d+)/.exec(text) ?? []
  const end = head + 4 + Number(length)
  if (head < 0 || text.length < end) {
    agent.rest = text
    return
  }
  agent.rest = text.slice(end)
  const path = text.slice(text.indexOf(' ') + 1, text.indexOf(' HTTP/1.1'))
  if (path === '/refresh') {
    agent.socket.write(refreshAnswer(agent.index, round))
    return refreshed()
  }
  const body = text.slice(head + 4, end)
  if (!held) return void agent.socket.write(answerOf(agent.index, path, body))
  held.asked.push([agent, answerOf(agent.index, path, body)])
  if (held.asked.length === agents.length) {
    held.last = now()
    receipts.emit('all')
  }
}

function connectOne(index: number, { port, round }: Connect): Promise<void> {
  return new Promise(resolve => {
    const localAddress = seatOf(index).ip
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    const agent = { index, socket, rest: '' }
    agents.push(agent)
    socket.on('data', bytes => take(agent, bytes, round ?? 0, resolve))
    if (round === undefined) socket.on('connect', () => resolve())
    socket.on('error', () => {}) // 'close' follows, and counts
    socket.on('close', () => {
      resolve()
      if (!isLeaving) closed += 1
    })
  })
}

export type Agents = typeof calls
const calls = serve({
  /** Resolves when all have answered the first request, or are closed. */
  async connect(given: Connect): Promise<void> {
    isLeaving = false
    closed = 0
    agents = []
    for (let from = 0; from < given.count; from += given.atOnce) {
      const length = Math.min(given.atOnce, given.count - from)
      await Promise.all(Array.from({ length }, (_, index) => connectOne(from + index, given)))
    }
  },
  /** Connections that others have closed. */
  dropped: () => closed,
  hold() {
    held = { asked: [] }
  },
  /** Resolves to the time at which the last agent has received its request. */
  async received(): Promise<number> {
    if (held?.last === undefined) await once(receipts, 'all', { signal: AbortSignal.timeout(patience) })
    return held?.last ?? 0
  },
  /** Sends what was held back; gives the time at which it began. */
  release(): number {
    const began = now()
    const asked = held?.asked ?? []
    held = undefined
    for (const [{ socket }, answer] of asked) socket.write(answer)
    return began
  },
  leave() {
    isLeaving = true
    for (const { socket } of agents) socket.destroy()
    agents = []
  },
})
