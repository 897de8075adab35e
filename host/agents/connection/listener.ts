// Listens for the agents' TCP connections. An agent is identified by its source address.

import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Log } from '../../log/log.ts'

/** All computers of a building may connect at the same moment. */
const backlog = 4096

/** Seconds without data after which the kernel checks the connection: an agent that lost its power does not close it. */
const keepAliveSeconds = 30

/** Calls `connect` for each new connection. Resolves when the port is open; rejects when it cannot be opened. */
export async function listenForAgents(
  address: { ip: string; port: number },
  connect: (addr: string, socket: Socket) => void,
  log: Log,
): Promise<Server> {
  const server = createServer({
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveSeconds * 1000,
  })
  server.on('connection', socket => {
    // A socket that has closed already has no address.
    const addr = socket.remoteAddress?.replace(/^::ffff:/, '')
    if (addr === undefined) socket.destroy()
    else connect(addr, socket)
  })
  server.listen({ host: address.ip, port: address.port, backlog })
  await once(server, 'listening')
  server.on('error', error => log.error('agents', 'listening socket failed', error))
  return server
}
