// Baselines of fan-out and round trip: writes the same bytes to as many sockets as the daemon has agents. `send` is
// baseline 1; `listenForCaller` starts an HTTP server that also keeps the request and every reply on disk.
import { once } from 'node:events'
import { createServer as createCallerServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { serveParent } from './child-process.ts'
import { ReplyLog } from './reply-log.ts'

const sockets = new Set<Socket>()
const log = new ReplyLog()

const server = createServer({ noDelay: true }, socket => {
  sockets.add(socket)
  // A reply comes whole: it fits into one packet.
  socket.on('data', reply => void log.store(reply, 1))
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})

async function listen(netServer: Server): Promise<number> {
  netServer.listen({ host: '127.0.0.1', port: 0, backlog: 65_535 })
  await once(netServer, 'listening')
  const address = netServer.address()
  return address instanceof Object ? address.port : 0
}

function send(text: string): void {
  const bytes = Buffer.from(text)
  log.expect(sockets.size)
  for (const socket of sockets) socket.write(bytes)
}

export type BaselineAgents = typeof calls
const calls = serveParent({
  listen: () => listen(server),
  send,
  /** Returns the port at which every request with a body is sent as `text` to all sockets, when there are `count`. */
  async listenForCaller({ file, text, count }: { file: string; text: string; count: number }): Promise<number> {
    // They are connected for the agents before they are accepted here.
    while (sockets.size < count) await once(server, 'connection')
    await log.open(file)
    const callers = createCallerServer(async (request, response): Promise<unknown> => {
      const body = Buffer.concat(await request.toArray())
      if (body.length === 0) return response.end()
      JSON.parse(body.toString())
      send(text)
      await log.store(body, 0)
      response.writeHead(200, { 'Content-Length': 0 })
      response.end()
    })
    return listen(callers)
  },
  /** Resolves when all replies to the next request are on disk. */
  stored: () => log.stored(),
})
