// Runs random messages on many connections at once, and counts them.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Findings, Target } from './attack.ts'
import { below, createRandom, mutate, pick, type Random } from './mutate.ts'

export interface Fuzz {
  corpus: readonly Buffer[]
  /** The most messages of one connection. */
  perConnection: number
  connect(random: Random): Promise<Socket>
  /** Milliseconds that a connection stays open after its last message, at most. */
  lingerTime: number
}

const workers = 64

/** Sends `target.count` mutated messages, without a count as many as the time allows. */
export async function fuzz(target: Target, { corpus, perConnection, connect, lingerTime }: Fuzz): Promise<Findings> {
  const random = createRandom(target.seed)
  const began = performance.now()
  let messages = 0
  let connections = 0
  let bytes = 0
  const isDone = () => target.isOver() || (target.count !== undefined && messages >= target.count)
  const worker = async () => {
    while (!isDone()) {
      const socket = await connect(random)
      connections += 1
      for (let rest = 1 + below(random, perConnection); rest > 0 && !socket.destroyed; rest -= 1) {
        const message = mutate(pick(random, corpus) ?? Buffer.alloc(0), random, corpus)
        socket.write(message)
        messages += 1
        bytes += message.length
      }
      await leave(socket, random() < 0.5, lingerTime)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const seconds = (performance.now() - began) / 1000
  const rate = Math.round(messages / seconds)
  const megabytes = Math.round(bytes / 1024 / 1024)
  return {
    figures: `${messages} mutations, ${connections} connections, ${megabytes} MB, ${rate}/s, seed ${target.seed}`,
  }
}

/** Ends the connection in order or by a reset, when the peer has answered something or after a time. */
async function leave(socket: Socket, isOrderly: boolean, milliseconds: number): Promise<void> {
  if (!socket.destroyed) {
    const signal = AbortSignal.timeout(milliseconds)
    await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]).catch(() => {})
  }
  if (socket.destroyed) return
  // Without a reset, ports of this machine stay in use for a minute.
  if (isOrderly) socket.end(() => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}
