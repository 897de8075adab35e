// Attacks of callers on connections: requests without end, headers of blanks, bodies that never end, unread responses.
import { token } from '../../../harness/rest-call.ts'
import type { Attack } from '../attack.ts'
import { connectMany, flood, megabytes, strangerAt, untilOver } from '../peers.ts'

const head = (route: string, more = '') => `${route} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const authorized = `Authorization: ${token}\r\n`

/** Returns `block` so many times. */
function times(count: number, block: string): () => string | undefined {
  let rest = count
  return () => {
    rest -= 1
    return rest < 0 ? undefined : block
  }
}

const bodyBytes = 130_000
const unfinished = Buffer.concat([
  Buffer.from(head('POST /clients', `Content-Length: ${bodyBytes + 1}\r\n`)),
  Buffer.alloc(bodyBytes, 0x20),
])

const blankRoutes = ['/agent/fleet-agent.js', '/agent/install.sh', '/console', '/clients']
const blankHeaders = 'If-None-Match Accept Authorization Cookie Origin Accept-Encoding User-Agent Expect'.split(' ')

export const callerAttacks: Attack[] = [
  {
    name: 'pipelined',
    summary: '9 callers without a token send 94,000 requests each, without reading responses in between',
    seconds: 6,
    bounds: { log: 2_000_000 },
    async run(target) {
      const block = head('GET /clients').repeat(1_000)
      const sockets = await connectMany(target.caller, 9)
      const sent = await Promise.all(
        sockets.map(async socket => (await flood(socket, target, times(94, block))) - socket.writableLength),
      )
      const closed = sockets.filter(({ destroyed }) => destroyed).length
      // What was sent is processed as long as the connections are open.
      await untilOver(target)
      return { figures: `${megabytes(sent.reduce((sum, bytes) => sum + bytes, 0))} sent, ${closed} closed` }
    },
  },
  {
    name: 'pipelined-stream',
    summary: 'a caller sends 19 MB of requests behind its own stream of events',
    seconds: 5,
    async run(target) {
      const socket = await target.caller(strangerAt(1))
      socket.write(head('GET /events', authorized))
      const block = head('GET /clients', authorized).repeat(1_000)
      const bytes = await flood(socket, target, times(Math.floor(19_000_000 / block.length), block))
      const accepted = bytes - socket.writableLength
      // What was accepted is kept until the stream ends.
      await untilOver(target)
      return { figures: `${megabytes(accepted)} sent` }
    },
  },
  {
    name: 'bodies-before-token',
    summary: '12,000 connections without a token, each with 130 kB of a body that does not end',
    seconds: 7,
    // Each refused connection may be logged, but not each with a line of its own.
    bounds: { log: 1_000_000 },
    async run(target) {
      let bytes = 0
      const open = async (addr: string) => {
        const socket = await target.caller(addr)
        socket.resume().write(unfinished, () => {
          bytes += unfinished.length
        })
        return socket
      }
      const sockets = await connectMany(open, 12_000, { atOnce: 100, perAddress: 300, isOver: target.isOver })
      await untilOver(target)
      const left = sockets.filter(({ destroyed }) => !destroyed).length
      return { figures: `${left} connections open at the end, ${megabytes(bytes)} sent` }
    },
  },
  {
    name: 'long-header',
    summary: '12 callers without a token send headers of 100,000 blanks',
    seconds: 6,
    cheap: true,
    async run(target) {
      const sockets = await connectMany(target.caller, 12)
      for (const [index, socket] of sockets.entries()) {
        const route = blankRoutes[index % blankRoutes.length]
        const name = (index >= blankRoutes.length && blankHeaders[index % blankHeaders.length]) || 'If-None-Match'
        socket.resume().write(head(`GET ${route}`, `${name}: a${' '.repeat(100_000)}b\r\n`))
      }
      await untilOver(target)
      const closed = sockets.filter(({ destroyed }) => destroyed).length
      return { figures: `${closed} of ${sockets.length} connections closed` }
    },
  },
  {
    name: 'unread-answers',
    summary: '5,000 callers without a token request 300 install scripts each and read nothing, with a heap of 512 MB',
    seconds: 20,
    daemon: { nodeArguments: ['--max-old-space-size=512'] },
    // Each closed connection may be logged, but not each with a line of its own.
    bounds: { log: 1_000_000, memory: 512 * 1024 * 1024 },
    async run(target) {
      const sockets = await connectMany(target.caller, 5_000, { atOnce: 100, perAddress: 300, isOver: target.isOver })
      // With their responses, more than the system takes of a connection.
      for (const socket of sockets) socket.pause().write(head('GET /agent/install.sh').repeat(300))
      await untilOver(target)
      return { figures: `${sockets.length} connections` }
    },
  },
]
