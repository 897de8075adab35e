// REST from a shell: sends a request to the daemon and gives what it answers, or says in one line why not.
import { Agent, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { message } from '../../system/log.ts'
import { CliError } from '../terminal/failure.ts'
import type { Settings } from './settings.ts'

/** `body` is the parsed JSON, a text of any other type, or undefined. */
export interface Answer<Body> {
  body: Body
  /** The job that the request began. */
  job: number | undefined
}

export interface ApiClient {
  /** `route` is method, path and query. Rejects with a Failure, also for any status but 200. */
  call<Body = unknown>(route: string, payload?: object): Promise<Answer<Body>>
  close(): void
}

/** Milliseconds without a byte; a handler of the daemon may take 30 s. */
const timeout = 60_000

/** node:http, since fetch refuses a GET with a body. */
export function createApiClient({ url, token }: Settings): ApiClient {
  const secure = url.protocol === 'https:'
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const open = secure ? secureRequest : request
  const base = url.pathname.replace(/\/$/, '')

  function send(route: string, body: string): Promise<IncomingMessage> {
    const [method, path = ''] = route.split(' ')
    const headers = { Authorization: token, 'Content-Length': Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const sending = open(new URL(base + path, url), { method, headers, agent, timeout }, resolve)
      sending.on('timeout', () => sending.destroy(new Error(`no answer in ${timeout / 1000} s`)))
      sending.on('error', reject)
      sending.end(body)
    })
  }

  return {
    async call(route, payload) {
      const answer = await send(route, payload === undefined ? '' : JSON.stringify(payload)).catch(error => {
        throw new CliError(unreachable(url, error))
      })
      const { statusCode: status = 0, headers } = answer
      const content = await text(answer)
      if (status !== 200) throw new CliError(refused(url, route, status), { status })
      const isJson = headers['content-type']?.includes('json')
      const body = content === '' ? undefined : isJson ? JSON.parse(content) : content
      return { body, job: headers['x-job-id'] === undefined ? undefined : Number(headers['x-job-id']) }
    },
    close: () => agent.destroy(),
  }
}

function unreachable({ origin }: URL, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return `${origin}: nobody listens there; is the daemon running?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${origin}: there is no such host`
  return `${origin}: ${message(error)}`
}

function refused({ origin }: URL, route: string, status: number): string {
  const path = route.replace(/\?.*/, '')
  const reasons: Record<number, string> = {
    400: "refused; the daemon's log says why",
    401: 'wrong or no token; --token, FLEET_API_TOKEN or ~/.config/fleet/config.json would give it',
    404: 'the daemon has no such command',
    405: 'the daemon has no such command',
    413: 'the request is longer than the daemon allows',
    500: 'the daemon failed; its log says how',
  }
  const reason = reasons[status] ?? 'unexpected answer'
  return status === 401 ? `${origin}: ${reason} (401)` : `${path}: ${reason} (${status})`
}
