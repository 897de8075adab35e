// Recognises browsers and pages of other origins, which must not use what a browser knows of this service.
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Programs send none of these. Not `Sec-Fetch-Mode`: the `fetch` of Node sends it, and browsers send the others too. Of
 * an image or a script that a page without TLS includes, only the name of the browser shows what sends it.
 */
export const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] !== undefined ||
  headers['sec-fetch-dest'] !== undefined ||
  headers.origin !== undefined ||
  /text\/html/i.test(headers.accept ?? '') ||
  browserName.test(headers['user-agent'] ?? '')

/** The names of all browsers begin so; that of PowerShell, a program, does too. */
const browserName = /^Mozilla\/(?!.*PowerShell)/

/**
 * Whether a page of another origin sends the request. `Origin` decides only for browsers that do not send
 * `Sec-Fetch-Site`: behind a proxy, the host in it can differ from the one that the request names.
 */
export function isForeignPage({ 'sec-fetch-site': site, origin, host = '' }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isSameHost(origin, host)
}

/** An origin of `null`, of a page without one, equals no host. */
function isSameHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  // The URL leaves out the default port of the protocol, which a header may name.
  const address = `${protocol}//${host}`
  return originHost !== '' && URL.canParse(address) && new URL(address).host === originHost
}
