// The requests of well-behaved callers: on connections that are kept open, and one stream of events.
import { Agent as Connections, get, request } from 'node:http'
import { token } from '../../harness/rest-call.ts'

/** Milliseconds after which a request has failed. */
const callTimeout = 15_000

/** Few, as a console has them: requests wait for a free connection. */
const connections = new Connections({ keepAlive: true, maxSockets: 16 })

export const closeConnections = (): void => connections.destroy()

export interface Response {
  status: number
  headers: Record<string, unknown>
}

/** Rejects when there is no response. */
export function send(port: number, route: string, payload?: object): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const headers = { Authorization: token, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, agent: connections, headers, timeout: callTimeout }
    const outgoing = request(options, response => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response after ${callTimeout} ms`)))
    // The daemon may close a connection that was not used for a while just when the next request is sent.
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      outgoing.reusedSocket && error.code === 'ECONNRESET' ? resolve(send(port, route, payload)) : reject(error),
    )
    outgoing.end(body)
  })
}

/** Reads the events of jobs for ever, and calls `onFinished` with the id of each job that has ended. */
export function readFinishedJobs(port: number, onFinished: (job: number) => void): void {
  const headers = { Authorization: token }
  const options = { host: '127.0.0.1', port, path: '/events?type=job-finished', headers, agent: false } as const
  const stream = get(options, response => {
    let text = ''
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', chunk => {
      text += chunk
      const end = text.lastIndexOf('\n\n') + 1
      for (const [, job] of text.slice(0, end).matchAll(/^data: .*"job":(\d+)/gm)) onFinished(Number(job))
      text = text.slice(end)
    })
  })
  // Jobs whose events are missing are counted.
  stream.on('error', () => {})
}
