// Serves the logs of all simulated computers on one port: the address that is asked says of which one.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { CopyLog } from './copy-log.ts'

export interface LoggingComputer {
  readonly spec: { readonly ip: string }
  readonly log: CopyLog
}

/** Resolves when the port is open; rejects when it cannot be opened. */
export async function openLogPort(port: number, computers: readonly LoggingComputer[]): Promise<{ close(): void }> {
  const byAddress = new Map(computers.map(computer => [computer.spec.ip, computer]))
  const server = createServer(({ url, socket }, response) => {
    const computer = byAddress.get(socket.localAddress ?? '')
    if (!computer || url !== '/cgi-bin/LogCommand.sh') return response.writeHead(404).end()
    return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(computer.log.text())
  })
  server.listen(port, '0.0.0.0')
  await once(server, 'listening')
  return {
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
