// Callers without a token request the install script again and again, and read nothing.
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, strangerAt } from './attack.ts'

const connections = 5_000
const perAddress = 300
const atOnce = 100
/** Requests of one connection: with their responses, more than the system takes of a connection. */
const requests = 'GET /agent/install.sh HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(300)

export default {
  name: 'unread-answers',
  summary: '5,000 callers without a token request 300 install scripts each and read nothing, with a heap of 512 MB',
  seconds: 20,
  daemon: { nodeArguments: ['--max-old-space-size=512'] },
  // Each closed connection may be logged, but not each with a line of its own.
  bounds: { log: 1_000_000, memory: 512 * 1024 * 1024 },
  async run(target) {
    const sockets: Socket[] = []
    for (let first = 0; first < connections && !target.isOver(); first += atOnce) {
      const indices = Array.from({ length: atOnce }, (_, index) => first + index)
      sockets.push(
        ...(await Promise.all(indices.map(index => target.caller(strangerAt(Math.floor(index / perAddress)))))),
      )
    }
    for (const socket of sockets) {
      socket.pause()
      socket.write(requests)
    }
    while (!target.isOver()) await wait(100)
    return { figures: `${sockets.length} connections` }
  },
} satisfies Attack
