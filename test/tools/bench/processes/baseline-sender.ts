// Baselines of the fan-out: writes the same bytes to as many sockets. `send` is baseline 1; `listenForCaller` is
// baseline 2, an HTTP server that also persists the request, as the daemon does.
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer as createCallerServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { serveParent } from './child-process.ts'

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, socket => {
  sockets.add(socket)
  socket.resume()
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})

async function listen(netServer: Server): Promise<number> {
  netServer.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
  await once(netServer, 'listening')
  const address = netServer.address()
  return address instanceof Object ? address.port : 0
}

function send(text: string): void {
  const bytes = Buffer.from(text)
  for (const socket of sockets) socket.write(bytes)
}

export type BaselineSender = typeof calls
const calls = serveParent({
  listen: () => listen(server),
  send,
  /** Starts baseline 2, which sends `text` to all sockets on each request. */
  async listenForCaller({ file, text }: { file: string; text: string }): Promise<number> {
    const records = await open(file, 'a')
    const callers = createCallerServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      JSON.parse(body.toString())
      send(text)
      await records.write(body)
      await records.datasync()
      response.writeHead(200, { 'Content-Length': 0 })
      response.end()
    })
    return listen(callers)
  },
})
