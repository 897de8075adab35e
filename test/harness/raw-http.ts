// Writes HTTP requests as bytes, also ones that no client library would send, and reads the responses as text.
import { once } from 'node:events'
import { token } from './test-host.ts'
import { openSocket } from './transport.ts'

export interface RawRequest {
  /** A header that is undefined is left out, also a default one. */
  headers?: Record<string, string | undefined>
  body?: string
}

/** The bytes of a request. Defaults: the right token, the length of the body, and `Connection: close`. */
export function bytesOf(route: string, { headers = {}, body = '' }: RawRequest = {}): string {
  const length = headers['Transfer-Encoding'] === undefined ? String(Buffer.byteLength(body)) : undefined
  const all = { Host: 'x', Authorization: token, Connection: 'close', 'Content-Length': length, ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
  return `${route} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** A chunked body. */
export const chunked = (...chunks: string[]): string =>
  [...chunks, ''].map(chunk => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')

/** The statuses of all responses in the text, interim responses included. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** The end of a response's head, for tests that need not wait until the connection closes. */
export const endOfHead = /\r\n\r\n/

/** Opens a caller's connection, for requests that are sent in several writes. */
export function connectCaller(port: number) {
  const socket = openSocket(port)
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => {})
  return {
    socket,
    /** Resolves with all received text when the daemon has closed the connection. */
    closed: new Promise<string>(resolve => socket.on('close', () => resolve(text))),
    /** Resolves with the text received so far as soon as it passes a test, such as that of a regular expression. */
    async until(expected: { test(text: string): boolean }): Promise<string> {
      while (!expected.test(text)) await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })
      return text
    },
  }
}
