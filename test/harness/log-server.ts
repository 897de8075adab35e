// Serves the console log of one simulated client by HTTP, as a live system does.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { pollUntil } from './poll.ts'

export type LogServer = Awaited<ReturnType<typeof serveLog>>

const logPath = '/cgi-bin/LogCommand.sh'

export async function serveLog(addr: string, port: number) {
  const counts = { requests: 0, open: 0, most: 0, answered: 0 }
  const server = createServer((request, response) => {
    counts.requests += 1
    counts.open += 1
    counts.most = Math.max(counts.most, counts.open)
    response.on('close', () => {
      counts.open -= 1
      counts.answered += 1
    })
    if (request.url !== logPath || request.method !== 'GET') response.writeHead(404).end()
    else if (logServer.respond) logServer.respond(response)
    else response.writeHead(200, { 'Content-Type': 'text/plain' }).end(logServer.text)
  })
  const logServer = {
    /** What is served from now on. */
    text: '',
    /** Serves something else than the text. */
    respond: undefined as ((response: ServerResponse) => void) | undefined, // `as`: a test sets it.
    /** How many requests have come. */
    get requests() {
      return counts.requests
    },
    /** Most of them that were open at the same time. */
    get most() {
      return counts.most
    },
    /** Resolves when that many requests were answered in all. */
    answered: (count: number) => pollUntil(() => counts.answered >= count),
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(port, addr)
  await once(server, 'listening')
  return logServer
}
