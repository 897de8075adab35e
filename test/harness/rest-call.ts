// Sends requests to the REST port of a daemon under test: as JSON, or as given bytes.
import type { Agent } from 'node:http'
import { openRequest, openSocket } from './transport.ts'

/** The API token of every daemon that a test starts. */
export const token = 'the-token'

/** Milliseconds until a wait for an event, a log line or a response fails on a busy machine. */
const waitTimeout = 60_000

export interface CallResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The parsed JSON body; undefined when the body is empty or not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  json: any
}

/**
 * Rejects when `start` does not resolve in time; `what` names the awaited thing in the error, and `describeLast` is asked
 * what was there instead.
 */
export function withTimeout<Result>(
  what: string,
  start: (resolve: (result: Result) => void) => void,
  describeLast = () => '',
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`waited ${waitTimeout} ms for ${what}${describeLast()}`))
    const timer = setTimeout(fail, waitTimeout).unref()
    start(result => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}

/** Sends one request, on a connection of its own or one of `agent`; `timeout`: milliseconds without data. A GET may have a JSON body too, as existing callers send it. */
export function call(
  port: number,
  route: string,
  payload?: unknown,
  headers: Record<string, string> = {},
  more: { agent?: Agent; timeout?: number } = {},
): Promise<CallResponse> {
  const [method = '', path = ''] = route.split(' ')
  const unchanged = typeof payload === 'string' || Buffer.isBuffer(payload)
  const body = payload === undefined ? '' : unchanged ? payload : JSON.stringify(payload)
  return new Promise((resolve, reject) => {
    const outgoing = openRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { Authorization: token, 'Content-Length': String(Buffer.byteLength(body)), ...headers },
      ...more,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response after ${more.timeout} ms`)))
    // The daemon may close a connection that was not used for a while just when the next request is sent.
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      outgoing.reusedSocket && error.code === 'ECONNRESET'
        ? resolve(call(port, route, payload, headers, more))
        : reject(error),
    )
    outgoing.on('response', response => {
      let text = ''
      // An event stream does not end: resolve with its headers only.
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: undefined })
        return void response.destroy()
      }
      response.setEncoding('utf8')
      response.on('data', chunk => (text += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const json =
          text !== '' && /^application\/json(;|$)/.test(response.headers['content-type'] ?? '')
            ? JSON.parse(text)
            : undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
      })
    })
    outgoing.end(body)
  })
}

/** Writes bytes to the port. Resolves with all received text when the daemon closes or `until` matches. */
export function exchangeBytes(port: number, bytes: string | Buffer, until?: RegExp): Promise<string> {
  return withTimeout(`a response to ${JSON.stringify(String(bytes).slice(0, 60))}`, resolve => {
    let text = ''
    const socket = openSocket(port, () => socket.write(bytes))
    socket.on('data', chunk => {
      text += chunk
      if (until?.test(text)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}
