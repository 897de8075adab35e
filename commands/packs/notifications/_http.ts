// Sends one HTTP request to a receiver: with a time limit, without redirects, and never to a private address.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { createLookup, mayReach, refusedAddress } from './_addresses.ts'
import type { Settings } from './_schemas.ts'

export interface HttpMessage {
  method: 'POST' | 'PUT'
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Of one attempt, from the first byte to the last. */
export const sendMilliseconds = 10_000

/** Characters of a reply, for the log of deliveries. */
const shownCharacters = 200

export const isSuccess = (status: number) => status >= 200 && status < 300

/** The certificates that receivers may have theirs from; undefined for those that Node knows. */
export const authorities = (ca: string): string[] | undefined => (ca === '' ? undefined : [...rootCertificates, ca])

/** Resolves to the status, with the beginning of the body. `signal`: ends it before. */
export async function sendHttp(
  { method, url, headers, body }: HttpMessage,
  { allowed, ca }: Pick<Settings, 'allowed' | 'ca'>,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { protocol, hostname } = new URL(url)
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) > 0 && !mayReach(literal, allowed)) throw new Error(refusedAddress('url', literal))
  const limit = AbortSignal.timeout(sendMilliseconds)
  return new Promise((resolve, reject) => {
    const options = {
      method,
      // A connection of its own: it is made when the address has been checked.
      agent: false as const,
      lookup: createLookup(allowed),
      signal: AbortSignal.any([limit, signal]),
      headers: { 'User-Agent': 'fleet-host', ...headers, 'Content-Length': Buffer.byteLength(body) },
      ca: authorities(ca),
    }
    const fail = (error: Error) =>
      reject(limit.aborted ? new Error(`no complete reply within ${sendMilliseconds / 1000} s`) : error)
    const request = protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    request.on('error', fail)
    request.on('response', response => {
      const { statusCode: status = 0 } = response
      let text = ''
      const end = () => {
        resolve({ status, text: text.slice(0, shownCharacters) })
        response.destroy()
      }
      // The status is the confirmation, however long the rest takes.
      if (isSuccess(status)) return end()
      response.setEncoding('utf8')
      response.on('error', fail)
      response.on('end', end)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length >= shownCharacters) end()
      })
    })
    request.end(body)
  })
}
