// Takes the agents' TCP connections; an agent says nothing first, its source address is its name.

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Log } from '../system/log.ts'
import type { Fleet } from './fleet.ts'

/** A whole building that is switched on connects at once. */
const backlog = 4096

/** Seconds of silence after which the kernel asks whether an agent that lost its power is still there. */
const keepAliveSeconds = 30

/** Resolves when the port listens; rejects when it cannot. */
export async function listenForAgents(at: { ip: string; port: number }, fleet: Fleet, log: Log): Promise<Server> {
  const server = createServer({
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveSeconds * 1000,
  })
  server.on('connection', socket => {
    // A socket that is gone already has no address any more.
    const addr = socket.remoteAddress?.replace(/^::ffff:/, '')
    if (addr === undefined) socket.destroy()
    else fleet.connect(addr, socket)
  })
  server.listen({ host: at.ip, port: at.port, backlog })
  await once(server, 'listening')
  server.on('error', error => log.error('agents', 'the listening socket failed', error))
  return server
}
