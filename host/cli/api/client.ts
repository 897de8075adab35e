// Client of the daemon's REST API: sends a request and returns the response, or throws a CliError of one line.
import { Agent, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { AnswerOf } from '../../contract/answers.ts'
import { message } from '../../log/log.ts'
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
  /** The id with which the request can be taken back. */
  undo: number | undefined
  /** The cookie that the response sets, as a request carries it. */
  cookie: string | undefined
}

export interface ApiClient {
  /** `route` is method, path and query. Rejects with a CliError, also for any status but 200. */
  call<const Route extends string>(
    route: Route,
    payload?: object,
    signal?: AbortSignal,
  ): Promise<ApiResponse<AnswerOf<Route>>>
  /** The text of a response that does not end by itself, as it comes. Throws as `call` does, and when it breaks off. */
  stream(route: string, headers: Record<string, string>, signal: AbortSignal): AsyncIterable<string>
  /** From now on all edits can be taken back as one, whose id each response has. */
  joinEdits(): void
  close(): void
}

/** Milliseconds without a byte; a command of the daemon may take 30 s. */
const timeout = 60_000

/**
 * Uses node:http, since fetch refuses a GET with a body. `warn` is called with what an accepted request says that will
 * not work.
 */
export function createApiClient(settings: Settings, warn: (text: string) => void = () => {}): ApiClient {
  const { url, token, cookie } = settings
  const secure = url.protocol === 'https:'
  const agent = secure ? createSecureAgent(settings) : new Agent({ keepAlive: true })
  const open = secure ? secureRequest : request
  const basePath = url.pathname.replace(/\/$/, '')

  async function send(
    route: string,
    body: string,
    { headers: more, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<IncomingMessage> {
    const [method, path = ''] = route.split(' ')
    const caller = cookie === undefined ? { Authorization: token } : { Cookie: cookie }
    const headers = { ...more, ...caller, 'Content-Length': Buffer.byteLength(body) }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers, agent, timeout, ...(signal && { signal }) }
      const outgoing = open(new URL(basePath + path, url), options, resolve)
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response in ${timeout / 1000} s`)))
      outgoing.on('error', error => reject(new CliError(describeConnectionError(url, error))))
      outgoing.end(body)
    })
    if (response.statusCode !== 200) {
      // Read, so that the connection can be used again.
      response.resume()
      throw refusalOf(url, route, response, cookie !== undefined)
    }
    return response
  }

  let joined: { undo?: number; headers?: Record<string, string> } | undefined

  return {
    async call(route, payload, signal) {
      const more = { headers: joined?.headers ?? {}, ...(signal && { signal }) }
      const response = await send(route, payload === undefined ? '' : JSON.stringify(payload), more)
      const { headers } = response
      const undo = readId(headers['x-undo-id']) ?? joined?.undo
      if (joined && undo !== undefined) joined = { undo, headers: { 'X-Undo-Id': String(undo) } }
      const content = await text(response)
      if (headers['x-warning'] !== undefined) warn(onOneLine(String(headers['x-warning'])))
      const isJson = headers['content-type']?.includes('json')
      const body = content === '' ? undefined : isJson ? JSON.parse(content) : content
      return {
        body,
        job: readId(headers['x-job-id']),
        added: readId(headers['x-id']),
        undo,
        cookie: cookieIn(headers['set-cookie']),
      }
    },
    async *stream(route, headers, signal) {
      const response = await send(route, '', { headers, signal })
      try {
        for await (const text of response.setEncoding('utf8')) yield String(text)
      } catch (error) {
        throw new CliError(describeConnectionError(url, error))
      }
    },
    joinEdits() {
      joined = {}
    },
    close: () => agent.destroy(),
  }
}

/** The first page of an answer with the entries of all its pages. */
export async function readPages<Page extends { next?: number | string }>(
  readPage: (query: { after?: string }) => Promise<ApiResponse<Page>>,
  entriesOf: (page: Page) => unknown[],
): Promise<Page> {
  const { body: first } = await readPage({})
  for (let { next } = first; next !== undefined; ) {
    const { body } = await readPage({ after: `${next}` })
    entriesOf(first).push(...entriesOf(body))
    next = body.next
  }
  return { ...first, next: undefined }
}

/** With the certificate itself among the trusted ones, its authority need not be known. */
const createSecureAgent = ({ ca, isPinned }: Settings) =>
  new SecureAgent({
    keepAlive: true,
    ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
    ...(isPinned && { checkServerIdentity: () => undefined }),
  })

const cookieIn = (texts: string[] | undefined) => texts?.[0]?.replace(/;.*/s, '')

const readId = (header: string | string[] | undefined) => (header === undefined ? undefined : Number(header))

function refusalOf(
  { origin }: URL,
  route: string,
  { statusCode: status = 0, headers }: IncomingMessage,
  hasSession: boolean,
): CliError {
  const reason = headers['x-reason']
  const fail = (text: string) => new CliError(`${text} (${status})`, { status })
  if (status === 401 && hasSession) return fail(`${origin}: the session has ended; fleet login`)
  // What is missing says its kind itself: `image: there is no image wim`.
  if (typeof reason === 'string')
    return new CliError(onOneLine(reason).replace(/^\w+: (?=there is no )/, ''), { status })
  if (status === 401)
    return fail(`${origin}: wrong or missing token; set --token, FLEET_API_TOKEN or ~/.config/fleet/config.json`)
  return fail(`${route.replace(/\?.*/, '')}: ${reasons[status] ?? 'unexpected response'}`)
}

/** OpenSSL's codes for a certificate of an authority that is not trusted. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

const trustHint = 'name its file with --ca, FLEET_CA or ca in ~/.config/fleet/config.json'

function describeConnectionError({ origin, protocol }: URL, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return `${origin}: connection refused; is the daemon running?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${origin}: unknown host name`
  if (unknownAuthority.has(code)) return `${origin}: the authority of its certificate is not trusted; ${trustHint}`
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (code === 'EPROTO' && protocol === 'https:'))
    return `${origin}: no TLS on that port; is the address http://?`
  if (code === 'ECONNRESET' && protocol === 'http:') return `${origin}: connection closed; is the address https://?`
  return `${origin}: ${message(error)}`
}

/** For the statuses of a proxy; the daemon itself has 503 for `GET /readyz`. */
const noResponse = 'the daemon is not ready, or its proxy gets no response from it'

const reasons: Record<number, string> = {
  403: 'your token or user may not do this',
  429: 'too many such requests, or too many failed logins; wait a minute',
  400: "refused; the daemon's log has the reason",
  404: 'the daemon has no such command',
  405: 'the daemon has no such command',
  409: 'it would overwrite what was changed later',
  413: 'the request is longer than the daemon allows',
  500: 'the daemon failed; its log has the reason',
  502: noResponse,
  503: noResponse,
  504: noResponse,
}
