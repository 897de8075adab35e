// Callers without a token send bodies that never end, on thousands of connections.
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, strangerAt } from './attack.ts'
import { megabytes } from './peers.ts'

const connections = 12_000
/** Connections from one address. */
const perAddress = 300
const atOnce = 100
const bodyBytes = 130_000
const head = `POST /clients HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes + 1}\r\n\r\n`
const unfinished = Buffer.concat([Buffer.from(head), Buffer.alloc(bodyBytes, 0x20)])

export default {
  name: 'bodies-before-token',
  summary: '12,000 connections without a token, each with 130 kB of a body that does not end',
  seconds: 7,
  // Each refused connection may be logged, but not each with a line of its own.
  bounds: { log: 1_000_000 },
  async run(target) {
    let open = 0
    let bytes = 0
    for (let first = 0; first < connections && !target.isOver(); first += atOnce) {
      const opened = Array.from({ length: atOnce }, async (_, index) => {
        const socket = await target.caller(strangerAt(Math.floor((first + index) / perAddress)))
        socket.resume()
        socket.write(unfinished, () => {
          bytes += unfinished.length
        })
        open += 1
        socket.once('close', () => {
          open -= 1
        })
      })
      await Promise.all(opened)
    }
    while (!target.isOver()) await wait(100)
    return { figures: `${open} connections open at the end, ${megabytes(bytes)} sent` }
  },
} satisfies Attack
