// Child process with the benchmark's agents: one plain socket each, with the replies of real agents.
import { EventEmitter, once } from 'node:events'
import { connect, Socket } from 'node:net'
import { message } from '../../../../host/test-kit/agent-http.ts'
import { now, serveParent } from './child-process.ts'
import { computerSpecOf, refreshReply, replyOf } from './computers.ts'

interface BenchAgent {
  index: number
  socket: Socket
  /** The received part of an incomplete request. */
  rest: string
}

export interface Connect {
  port: number
  count: number
  /** The index of the first agent's computer; default 0. */
  first?: number
  /** Agents that connect at the same time. */
  atOnce: number
  /** Selects the disk usage that agents report. Absent for the baseline, which sends no refresh on connect. */
  round?: number
  /** They introduce themselves and report who is logged in, as the agents for Windows of this repository do. */
  onWindows?: boolean | undefined
}

/**
 * As agents have it: where the server's kernel had no room for a connection, it answers the first probe with a reset.
 * Those that have received no first command then connect again.
 */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 30_000 }

let agents: BenchAgent[] = []
let isLeaving = false
let closed = 0
/** Replies that are held back. */
let delayed: [BenchAgent, string][] | undefined
/** How many agents have not received the request, and the time of the last receipt. */
let missing = 0
let last: number | undefined
const receipts = new EventEmitter()
const receiptTimeout = 1_800_000 // ms

function onData(agent: BenchAgent, bytes: Buffer, round: number, onRefreshed: () => void): void {
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
    agent.socket.write(refreshReply(agent.index, round))
    return onRefreshed()
  }
  const reply = replyOf(agent.index, path, text.slice(head + 4, end))
  if (delayed) delayed.push([agent, reply])
  else agent.socket.write(reply)
  missing -= 1
  if (missing === 0) {
    last = now()
    receipts.emit('all')
  }
}

/** Before PowerShell has read the serial number, and again with it. */
function introduce({ index, socket }: BenchAgent, serial: string): void {
  const { name, mac } = computerSpecOf(index)
  const own = { os: 'Windows 10 Pro', agent: 'fleet-agent 1.0.0', keys: ['pieces', 'timeout'] }
  socket.write(message(103, { event: 'hello', name, mac, serial, ...own }))
}

function speakAsWindows(agent: BenchAgent): void {
  introduce(agent, `SN${agent.index}`)
  agent.socket.write(message(103, { event: 'session', action: 'start', user: `student${agent.index}` }))
}

function connectOne(index: number, { port, round, onWindows }: Connect): Promise<void> {
  return new Promise(resolve => {
    const agent = { index, socket: new Socket(), rest: '' }
    agents.push(agent)
    let isRefreshed = false
    const onRefreshed = () => {
      isRefreshed = true
      if (onWindows) speakAsWindows(agent)
      resolve()
    }
    const open = () => {
      const localAddress = computerSpecOf(index).ip
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, ...keepAlive })
      agent.socket = socket
      socket.on('data', bytes => onData(agent, bytes, round ?? 0, onRefreshed))
      if (onWindows) socket.on('connect', () => introduce(agent, ''))
      if (round === undefined) socket.on('connect', onRefreshed)
      socket.on('error', () => {}) // 'close' follows and is counted
      socket.on('close', () => {
        if (isLeaving) return
        if (isRefreshed) closed += 1
        if (!isRefreshed || round === undefined) setTimeout(() => isLeaving || open(), 1000)
      })
    }
    open()
  })
}

function expect(): void {
  missing = agents.length
  last = undefined
}

export type Agents = typeof calls
const calls = serveParent({
  /** Resolves when all agents have replied to the first request. */
  async connect(options: Connect): Promise<void> {
    isLeaving = false
    closed = 0
    agents = []
    const { first = 0 } = options
    for (let from = 0; from < options.count; from += options.atOnce) {
      const length = Math.min(options.atOnce, options.count - from)
      await Promise.all(Array.from({ length }, (_, index) => connectOne(first + from + index, options)))
    }
  },
  /** The number of connections that the other side closed. */
  dropped: () => closed,
  /** All agents are about to be sent a request; they reply at once. */
  expect,
  /** The same, and replies are held back until `release`. */
  hold() {
    expect()
    delayed = []
  },
  /** Resolves to the time at which the last agent received its request. */
  async received(): Promise<number> {
    if (last === undefined) await once(receipts, 'all', { signal: AbortSignal.timeout(receiptTimeout) })
    return last ?? 0
  },
  /** Sends the held replies; returns the start time. */
  release(): number {
    const began = now()
    const replies = delayed ?? []
    delayed = undefined
    for (const [{ socket }, reply] of replies) socket.write(reply)
    return began
  },
  leave() {
    isLeaving = true
    for (const { socket } of agents) socket.destroy()
    agents = []
  },
})
