// Agents report filesystems and operating systems with new names, and connect again.
import { once } from 'node:events'
import { message } from '../simulator/agent-http.ts'
import { type Attack, strangerAt, type Target } from './attack.ts'
import { repeat, textUntil } from './peers.ts'

const rowCount = 1_100
const closeTimeout = 500 // ms

export default {
  name: 'invented-names',
  summary: 'agents report 1,100 new names of filesystems and operating systems on each connection',
  seconds: 5,
  bounds: { data: 10_000_000 },
  async run(target) {
    let names = 0
    const connections = await repeat(target, 4, async worker => {
      const addr = worker === 0 ? target.absent[0] : strangerAt(worker)
      const partition_setup = Array.from({ length: rowCount }, () => {
        names += 1
        const name = `N${worker}-${names}`
        return {
          disk: '1',
          partition: '1',
          code: '83',
          filesystem: name,
          os: worker === 0 ? name : '',
          size: '9',
          used_size: '0',
        }
      })
      await reply(target, addr ?? '', message(200, { partition_setup, disk_setup: [], serial_number: '', link: 1000 }))
    })
    return { figures: `${names} names on ${connections} connections` }
  },
} satisfies Attack

/** Answers the first refresh of a new connection. */
async function reply({ agent }: Target, addr: string, text: string): Promise<void> {
  const socket = await agent(addr)
  await textUntil(socket, '/refresh', closeTimeout)
  socket.end(text)
  await once(socket, 'close', { signal: AbortSignal.timeout(closeTimeout) }).catch(() => socket.destroy())
}
