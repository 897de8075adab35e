// The bare fan-out: the smallest program that takes as many sockets and writes the same bytes to each of them.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { serve } from './child.ts'

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, socket => {
  sockets.add(socket)
  socket.resume()
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})

export type Sender = typeof calls
const calls = serve({
  async listen(): Promise<number> {
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
    await once(server, 'listening')
    const address = server.address()
    return address instanceof Object ? address.port : 0
  },
  send(text: string) {
    const bytes = Buffer.from(text)
    for (const socket of sockets) socket.write(bytes)
  },
})
