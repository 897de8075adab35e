// Agents that the options refuse connect without a pause, and so does the agent of one computer.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type Attack, strangerAt } from './attack.ts'
import { repeat } from './peers.ts'

const strangers = 5_000
const workers = 16
const eventTime = 5_000 // ms

export default {
  name: 'refused-agents',
  summary: 'agents that agents.allow refuses, and one agent of a computer, connect again and again',
  seconds: 4,
  daemon: { options: { agents: { allow: 'known' } } },
  bounds: { log: 200_000 },
  async run(target) {
    let open = 0
    const refused = repeat(target, workers, async (worker, round) => {
      const socket = await target.agent(strangerAt((round * workers + worker) % strangers))
      if (!(await happens(socket, 'close'))) open += 1
    })
    let reconnects = 0
    const addr = target.absent[0] ?? ''
    const replaced = repeat(target, 1, async () => {
      const socket = await target.agent(addr)
      // It gets its first request, or is refused.
      await Promise.race([happens(socket, 'data'), happens(socket, 'close')])
      reconnects += 1
    })
    const [connections] = await Promise.all([refused, replaced])
    const problems = open > 0 ? [`${open} connections of refused addresses stay open`] : []
    return { figures: `${connections} refused, ${reconnects} of one computer`, problems }
  },
} satisfies Attack

/** Resolves to false when it does not happen within some time. */
async function happens(socket: Socket, event: 'close' | 'data'): Promise<boolean> {
  socket.on('error', () => {}).resume()
  if (socket.destroyed) return true
  const signal = AbortSignal.timeout(eventTime)
  return once(socket, event, { signal }).then(
    () => true,
    () => false,
  )
}
