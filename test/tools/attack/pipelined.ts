// Callers without a token send many requests at once on a few connections.
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, strangerAt } from './attack.ts'
import { flood, megabytes } from './peers.ts'

const connections = 9
const block = 'GET /clients HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000)
const blocks = 94 // 3.3 MB

export default {
  name: 'pipelined',
  summary: '9 callers without a token send 94,000 requests each, without reading responses in between',
  seconds: 6,
  bounds: { log: 2_000_000 },
  async run(target) {
    const callers = Array.from({ length: connections }, async (_, index) => {
      const socket = await target.caller(strangerAt(index))
      let rest = blocks
      const bytes = await flood(socket, target, () => {
        rest -= 1
        return rest < 0 ? undefined : block
      })
      return { bytes, accepted: bytes - socket.writableLength, wasClosed: socket.destroyed }
    })
    const results = await Promise.all(callers)
    // What was sent is processed as long as the connections are open.
    while (!target.isOver()) await wait(100)
    const accepted = results.reduce((sum, each) => sum + each.accepted, 0)
    return { figures: `${megabytes(accepted)} sent, ${results.filter(({ wasClosed }) => wasClosed).length} closed` }
  },
} satisfies Attack
