// A caller with the right token sends requests behind its own stream of events, which never ends.
import { setTimeout as wait } from 'node:timers/promises'
import { token } from '../../harness/rest-call.ts'
import { type Attack, strangerAt } from './attack.ts'
import { flood, megabytes } from './peers.ts'

const head = (route: string) => `${route} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`
const block = head('GET /clients').repeat(1_000)
const most = 19_000_000 // bytes

export default {
  name: 'pipelined-stream',
  summary: 'a caller sends 19 MB of requests behind its own stream of events',
  seconds: 5,
  async run(target) {
    const socket = await target.caller(strangerAt(1))
    socket.write(head('GET /events'))
    let rest = most
    const bytes = await flood(socket, target, () => {
      rest -= block.length
      return rest < 0 ? undefined : block
    })
    const accepted = bytes - socket.writableLength
    // What was accepted is kept until the stream ends.
    while (!target.isOver()) await wait(100)
    return { figures: `${megabytes(accepted)} sent` }
  },
} satisfies Attack
