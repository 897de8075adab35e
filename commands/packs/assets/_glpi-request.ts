// Sends one request to GLPI: with a time limit, without redirects, and reads the JSON of its reply.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { GlpiSettings } from './_asset-schemas.ts'

interface GlpiRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Characters of a reply. */
const longestReply = 64 * 1024

/** `json` is undefined for a reply that is no JSON object. Rejects without a complete reply. */
export async function sendToGlpi(
  { url, headers, body }: GlpiRequest,
  { ca, seconds }: Pick<GlpiSettings, 'ca' | 'seconds'>,
  signal: AbortSignal,
): Promise<{ status: number; json: Record<string, unknown> | undefined }> {
  const limit = AbortSignal.timeout(seconds * 1000)
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      // A connection that is kept may have been closed by GLPI meanwhile.
      agent: false as const,
      signal: AbortSignal.any([limit, signal]),
      headers: {
        'User-Agent': 'fleet-host',
        Accept: 'application/json',
        ...headers,
        'Content-Length': Buffer.byteLength(body),
      },
      ca: ca === '' ? undefined : [...rootCertificates, ca],
    }
    const fail = (error: Error) =>
      reject(limit.aborted ? new Error(`no complete reply within ${seconds} s`) : new Error(textOf(error)))
    const request = url.startsWith('https:') ? requestHttps(url, options) : requestHttp(url, options)
    request.on('error', fail)
    request.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('error', fail)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: parse(text) }))
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > longestReply) response.destroy(new Error('the reply is too long'))
      })
    })
    request.end(body)
  })
}

/** A refused connection to a name with several addresses has no message of its own. */
const textOf = (error: Error) => error.message || ('code' in error ? String(error.code) : error.name)

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value instanceof Object ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}
