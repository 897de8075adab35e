// The caller's side: one function that sends a request to the daemon's REST API and gives its status and JSON.
import { Agent, request } from 'node:http'

export type Answer = { status: number; body: unknown }
export type Call = (route: string, payload?: object) => Promise<Answer>
export type Api = { call: Call; close(): void }

const parallel = 32 // connections; the daemon's store gathers that many writers into one flush
const timeout = 30_000 // ms without a byte

/** Rejects when nobody answers. node:http, since fetch refuses a GET with a body; `token` is asked for each time. */
export function createApi(host: string, port: number, token: () => string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  const call: Call = (route, payload) => {
    const [method, path] = route.split(' ')
    const text = payload === undefined ? '' : JSON.stringify(payload)
    const headers = { Authorization: token(), 'Content-Length': Buffer.byteLength(text) }
    return new Promise((resolve, reject) => {
      const sending = request({ host, port, method, path, agent, headers, timeout }, answer => {
        const chunks: Buffer[] = []
        answer.on('data', chunk => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) }),
        )
      })
      sending.on('timeout', () => sending.destroy(new Error(`${route}: no answer in ${timeout / 1000} s`)))
      sending.on('error', reject)
      sending.end(text)
    })
  }
  return { call, close: () => agent.destroy() }
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}
