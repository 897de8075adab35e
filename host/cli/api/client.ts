// Client of the daemon's REST API: sends a request and returns the response, or throws a CliError of one line.
import { Agent, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { message } from '../../system/log.ts'
import { CliError } from '../cli-error.ts'
import { onOneLine } from '../terminal/terminal.ts'
import type { Settings } from './settings.ts'

/** `body` is parsed JSON, a text of another media type, or undefined. */
export interface ApiResponse<Body> {
  body: Body
  /** The id of the job that the request started. */
  job: number | undefined
  /** The id of the record that the request added. */
  added: number | undefined
}

export interface ApiClient {
  /** `route` is method, path and query. Rejects with a CliError, also for any status but 200. */
  call<Body = unknown>(route: string, payload?: object): Promise<ApiResponse<Body>>
  /** The text of a response that does not end by itself, as it comes. Throws as `call` does, also when it breaks off. */
  stream(route: string, headers: Record<string, string>, signal: AbortSignal): AsyncIterable<string>
  close(): void
}

/** Milliseconds without a byte; a command of the daemon may take 30 s. */
const timeout = 60_000

/** Uses node:http, since fetch refuses a GET with a body. */
export function createApiClient({ url, token }: Settings): ApiClient {
  const secure = url.protocol === 'https:'
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const open = secure ? secureRequest : request
  const basePath = url.pathname.replace(/\/$/, '')

  function send(
    route: string,
    body: string,
    { headers: more, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<IncomingMessage> {
    const [method, path = ''] = route.split(' ')
    const headers = { ...more, Authorization: token, 'Content-Length': Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const outgoing = open(
        new URL(basePath + path, url),
        { method, headers, agent, timeout, ...(signal && { signal }) },
        resolve,
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response in ${timeout / 1000} s`)))
      outgoing.on('error', error => reject(new CliError(describeConnectionError(url, error))))
      outgoing.end(body)
    })
  }

  return {
    async call(route, payload) {
      const response = await send(route, payload === undefined ? '' : JSON.stringify(payload))
      const { headers } = response
      const content = await text(response)
      requireSuccess(url, route, response)
      const isJson = headers['content-type']?.includes('json')
      const body = content === '' ? undefined : isJson ? JSON.parse(content) : content
      return { body, job: readId(headers['x-job-id']), added: readId(headers['x-id']) }
    },
    async *stream(route, headers, signal) {
      const response = await send(route, '', { headers, signal })
      requireSuccess(url, route, response)
      try {
        for await (const text of response.setEncoding('utf8')) yield String(text)
      } catch (error) {
        throw new CliError(describeConnectionError(url, error))
      }
    },
    close: () => agent.destroy(),
  }
}

const readId = (header: string | string[] | undefined) => (header === undefined ? undefined : Number(header))

function requireSuccess(url: URL, route: string, { statusCode: status = 0, headers }: IncomingMessage): void {
  if (status === 200) return
  const reason = headers['x-reason']
  const path = route.replace(/\?.*/, '')
  const text =
    typeof reason === 'string' ? `${path}: ${onOneLine(reason)} (${status})` : describeStatus(url, path, status)
  throw new CliError(text, { status })
}

function describeConnectionError({ origin }: URL, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return `${origin}: connection refused; is the daemon running?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${origin}: unknown host name`
  return `${origin}: ${message(error)}`
}

function describeStatus({ origin }: URL, path: string, status: number): string {
  if (status === 401)
    return `${origin}: wrong or missing token; set --token, FLEET_API_TOKEN or ~/.config/fleet/config.json (401)`
  const reasons: Record<number, string> = {
    400: "refused; the daemon's log has the reason",
    404: 'the daemon has no such command',
    405: 'the daemon has no such command',
    413: 'the request is longer than the daemon allows',
    500: 'the daemon failed; its log has the reason',
  }
  return `${path}: ${reasons[status] ?? 'unexpected response'} (${status})`
}
