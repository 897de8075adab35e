// Agents send headers that consist of blanks.
import { type Attack, strangerAt } from './attack.ts'
import { flood, megabytes, repeat } from './peers.ts'

const header = `X: a${' '.repeat(8_000)}b`
const reply = `HTTP/1.0 200 OK\r\n${header}\r\n\r\n`

export default {
  name: 'blank-header',
  summary: 'agents without a record send headers of 8,000 blanks',
  seconds: 3,
  cheap: true,
  async run(target) {
    let bytes = 0
    await repeat(target, 8, async worker => {
      const socket = await target.agent(strangerAt(worker))
      bytes += await flood(socket, target, () => reply)
    })
    return { figures: megabytes(bytes) }
  },
} satisfies Attack
