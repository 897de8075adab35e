// Client of the daemon's REST API: sends a request and returns its status and JSON.
import { Agent, request } from 'node:http'

export type ApiResponse = { status: number; body: unknown }
export type Call = (route: string, payload?: object) => Promise<ApiResponse>
export type Api = { call: Call; close(): void }

const parallel = 32 // connections; the daemon's store flushes that many writers together
const timeout = 30_000 // ms without data

/** `call` rejects when there is no response. Uses node:http, since fetch refuses a GET with a body. */
export function createApi(host: string, port: number, token: () => string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  const call: Call = (route, payload) => {
    const [method, path] = route.split(' ')
    const text = payload === undefined ? '' : JSON.stringify(payload)
    const headers = { Authorization: token(), 'Content-Length': Buffer.byteLength(text) }
    return new Promise((resolve, reject) => {
      const outgoing = request({ host, port, method, path, agent, headers, timeout }, response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) }),
        )
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${route}: no response for ${timeout / 1000} s`)))
      outgoing.on('error', reject)
      outgoing.end(text)
    })
  }
  return { call, close: () => agent.destroy() }
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}
