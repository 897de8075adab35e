// HTTP as bytes: requests that no client library would send, and what came back.
import { once } from 'node:events'
import { connect } from 'node:net'
import { token } from './test-host.ts'

export interface Parts {
  /** Undefined leaves the default one out. */
  headers?: Record<string, string | undefined>
  body?: string
}

/** The bytes of a request with the right token, the body's length and `Connection: close`. */
export function bytesOf(route: string, { headers = {}, body = '' }: Parts = {}): string {
  const length = headers['Transfer-Encoding'] === undefined ? String(Buffer.byteLength(body)) : undefined
  const all = { Host: 'x', Authorization: token, Connection: 'close', 'Content-Length': length, ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
  return `${route} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

export const chunked = (...chunks: string[]): string =>
  [...chunks, ''].map(chunk => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')

/** The statuses of all responses in the text, interim ones included. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** The end of a response's head, for whoever need not wait until the connection closes. */
export const headEnd = /\r\n\r\n/

/** A caller's connection, for what is sent in parts. */
export function connectCaller(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => {})
  return {
    socket,
    /** Resolves to all that came, when the daemon has closed. */
    closed: new Promise<string>(resolve => socket.on('close', () => resolve(text))),
    /** Resolves to all that has come when it passes a test, a regular expression's for one. */
    async until(expected: { test(text: string): boolean }): Promise<string> {
      while (!expected.test(text)) await once(socket, 'data', { signal: AbortSignal.timeout(5000) })
      return text
    },
  }
}
