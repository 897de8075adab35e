// Child process with clients of a NATS server that reply to what is published to all, as the benchmark's agents do.
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import type { Connect } from './agents.ts'
import { now, serveParent } from './child-process.ts'
import { computerSpecOf, replyOf } from './computers.ts'
import { openNats, published } from './nats-client.ts'

const reply = published('replies', replyOf(0, '/shell/run', ''))
const receipts = new EventEmitter()
const receiptTimeout = 1_800_000 // ms
let sockets: Socket[] = []
let isLeaving = false
let closed = 0
let missing = 0
let last: number | undefined

function connectOne(index: number, port: number): Promise<void> {
  return new Promise(resolve => {
    const onMessage = () => {
      socket.write(reply)
      missing -= 1
      if (missing > 0) return
      last = now()
      receipts.emit('all')
    }
    const localAddress = computerSpecOf(index).ip
    const socket = openNats({ port, localAddress, subject: 'commands', onReady: resolve, onMessage })
    sockets.push(socket)
    socket.on('close', () => {
      resolve()
      if (!isLeaving) closed += 1
    })
  })
}

export type NatsAgents = typeof calls
const calls = serveParent({
  /** Resolves when all are subscribed or closed. */
  async connect({ port, count, first = 0 }: Connect): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => connectOne(first + index, port)))
  },
  dropped: () => closed,
  expect() {
    missing = sockets.length
    last = undefined
  },
  async received(): Promise<number> {
    if (last === undefined) await once(receipts, 'all', { signal: AbortSignal.timeout(receiptTimeout) })
    return last ?? 0
  },
  leave() {
    isLeaving = true
    for (const socket of sockets) socket.destroy()
    sockets = []
  },
})
