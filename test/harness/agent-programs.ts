// Programs for updates of the agent for Linux: an HTTP server that has them, and broken ones.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { version } from '../../host/system/version.ts'
import { agentCode } from './linux-agent.ts'

/** The agent as another version. */
export const newerCode = agentCode.replaceAll(JSON.stringify(version), '"99.0.0"')

export const brokenPrograms = {
  'ends at its start': 'process.exit(7)\n',
  'cannot be parsed': 'const = 1\n',
  'never connects': 'setInterval(() => {}, 1000)\n',
  'ends at the first request': `
    const { port } = JSON.parse(require('node:fs').readFileSync(process.argv[3], 'utf8'))
    require('node:net').connect(port, '127.0.0.1').on('data', () => process.kill(process.pid, 'SIGKILL'))`,
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The body of the daemon's request to update to a program. */
export const updateTo = (text: string, more: object = {}) => ({
  path: '/agent/fleet-agent.js',
  sha256: sha256Of(text),
  size: Buffer.byteLength(text),
  version: 'fleet-agent 99.0.0',
  ...more,
})

type Respond = (request: IncomingMessage, response: ServerResponse) => void

export async function startProgramServer() {
  let respond: Respond = (_, response) => response.writeHead(404).end()
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A TCP server has no path as its address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many requests have come. */
    requests: () => requests,
    /** What the next requests get: a text, or what the function does. */
    serve(program: string | Respond): void {
      respond = typeof program === 'string' ? (_, response) => response.end(program) : program
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
