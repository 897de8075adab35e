// Agents send replies that nobody has asked for, and callers requests without a token: each of them is worth a log line.
import { type Attack, strangerAt } from './attack.ts'
import { flood, megabytes, repeat } from './peers.ts'

const replies = 'HTTP/1.0 200 OK\r\n\r\n'.repeat(2_000)
const noEvents = 'HTTP/1.0 103 Early Hints\r\nContent-Length: 80\r\n\r\n'.concat('x'.repeat(80)).repeat(500)
const notHttp = 'SSH-2.0-OpenSSH_9.2 and more of what is no HTTP\r\n'
const request = 'GET /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

export default {
  name: 'log-flood',
  summary: 'replies that nobody has asked for, broken replies, and requests without a token',
  seconds: 4,
  bounds: { log: 1_000_000 },
  async run(target) {
    let bytes = 0
    const connections = await repeat(target, 4, async worker => {
      const isCaller = worker === 3
      const socket = await (isCaller ? target.caller(strangerAt(worker)) : target.agent(strangerAt(worker)))
      const text = [replies, noEvents, notHttp, request][worker] ?? ''
      bytes += await flood(socket, target, () => text)
      socket.destroy()
    })
    return { figures: `${megabytes(bytes)} on ${connections} connections` }
  },
} satisfies Attack
