// Decides whether a request with a session's cookie names this server as the option `rest.names` and addresses do.
import { isIP } from 'node:net'

const form = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/

/**
 * `host` is the header `Host`. The owner of another name can let it point to this server's address while a page is open:
 * for the browser, that page then has the origin of this server. With an address or `localhost` nobody can do so.
 */
export function isTrustedHost(host: string, names: readonly string[]): boolean {
  const [, bracketed, plain = ''] = form.exec(host) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6
  const name = withoutRoot(plain)
  if (name === '') return false
  return isIP(name) === 4 || name === 'localhost' || names.some(each => withoutRoot(each) === name)
}

/** Why the session does not count. */
export const untrustedHost = 'a session needs a Host that is an address, localhost or in rest.names'

/** A full name may end with a dot. */
const withoutRoot = (name: string): string => name.toLowerCase().replace(/\.$/, '')
