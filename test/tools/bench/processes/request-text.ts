// Formats a caller's HTTP request, with the token and the length of the body.
import { token } from '../../../harness/test-host.ts'

export function requestText(route: string, payload: unknown, keepAlive: boolean): string {
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const connection = keepAlive ? 'keep-alive' : 'close'
  const head = `${route} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${token}\r\nConnection: ${connection}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
