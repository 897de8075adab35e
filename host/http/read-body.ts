// Reads the body of a request, and stops at a limit of bytes.
import type { IncomingMessage } from 'node:http'

/** `too long`: more than `limit` bytes. `aborted`: the caller has closed the connection before the end. */
export type BodyResult = Buffer | 'too long' | 'aborted'

/** The rest of a body that is too long stays unread. */
export async function readBody(req: IncomingMessage, limit: number): Promise<BodyResult> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise(resolve => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else resolve('too long')
    })
    req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', () => resolve('aborted'))
    req.on('close', () => resolve('aborted'))
  })
}

/** Whether a body follows the head. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return (length !== undefined && length !== '0') || encoding !== undefined
}

/** Whether the declared length of the body is above the limit. */
export const bodyIsLonger = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers['content-length'] ?? 0) > limit

/** The bytes of the request line and the headers. */
export function headBytes({ method = '', rawHeaders }: IncomingMessage, originalUrl: string): number {
  let sum = method.length + originalUrl.length + '  HTTP/1.1\r\n\r\n'.length
  // The list has a name and a value for each field, and each pair takes four bytes more: colon, space and line break.
  for (const text of rawHeaders) sum += text.length + 2
  return sum
}

/** Whether the caller sends the body only after a response 100 Continue. */
export const expectsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' && /100-continue/i.test(headers.expect ?? '')
