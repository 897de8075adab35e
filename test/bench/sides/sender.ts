// The bare fan-out: the smallest program that takes as many sockets and writes the same bytes to each of them. Told to do
// so by its parent, or by a caller whose request it keeps on disk, as the daemon does.
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer as createCallerServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { serve } from './child.ts'

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, socket => {
  sockets.add(socket)
  socket.resume()
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})

async function listen(on: Server): Promise<number> {
  on.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
  await once(on, 'listening')
  const address = on.address()
  return address instanceof Object ? address.port : 0
}

function send(text: string): void {
  const bytes = Buffer.from(text)
  for (const socket of sockets) socket.write(bytes)
}

export type Sender = typeof calls
const calls = serve({
  listen: () => listen(server),
  send,
  /** Sends the text for each request. */
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
