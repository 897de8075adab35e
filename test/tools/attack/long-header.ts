// Callers without a token send one header that consists of blanks, many at a time.
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, strangerAt } from './attack.ts'

const connections = 12
const blanks = ' '.repeat(100_000)
const routes = ['/agent/fleet-agent.js', '/agent/install.sh', '/console', '/clients']
const names = [
  'If-None-Match',
  'Accept',
  'Authorization',
  'Cookie',
  'Origin',
  'Accept-Encoding',
  'User-Agent',
  'Expect',
]

export default {
  name: 'long-header',
  summary: '12 callers without a token send headers of 100,000 blanks',
  seconds: 6,
  cheap: true,
  async run(target) {
    const sockets = await Promise.all(
      Array.from({ length: connections }, (_, index) => target.caller(strangerAt(index))),
    )
    for (const [index, socket] of sockets.entries()) {
      const route = routes[index % routes.length]
      const name = index < routes.length ? 'If-None-Match' : names[index % names.length]
      socket.resume()
      socket.write(`GET ${route} HTTP/1.1\r\nHost: x\r\n${name}: a${blanks}b\r\n\r\n`)
    }
    while (!target.isOver()) await wait(100)
    return { figures: `${sockets.filter(({ destroyed }) => destroyed).length} of ${connections} connections closed` }
  },
} satisfies Attack
