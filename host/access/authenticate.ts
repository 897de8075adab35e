// Finds out who sends a request: by a token, by the cookie of a session, or by the name that a proxy has set.
import type { IncomingMessage } from 'node:http'
import type { Options } from '../config/options.ts'
import type { Rights } from '../contract/services.ts'
import { Networks, peerOf } from '../system/networks.ts'
import { secretIn } from './cookies.ts'
import type { Tokens } from './tokens.ts'
import { isTrustedHost, untrustedHost } from './trusted-host.ts'
import type { Users } from './users.ts'

export interface AuthenticateDeps {
  tokens: Tokens
  users: Users
  /** The present rights of the session with this secret; undefined when it has ended. */
  findSession(secret: string): Rights | undefined
  rest: Pick<Options['rest'], 'proxy_user' | 'names'>
}

/** The credentials of a request. */
export interface Credentials {
  req: IncomingMessage
  /** Texts that may be a token. */
  tokens: readonly string[]
  /** A page of another origin sends it: the browser has added what it knows, so only tokens count. */
  isForeign: boolean
}

/** The rights of the caller, or why there are none: `problem` is absent when the request has no credentials. */
export type AuthenticateResult = Rights | { problem?: string }

export interface Authenticate {
  /** The rights of a named token; undefined for any other text. */
  token(text: string): Rights | undefined
  request(credentials: Credentials): AuthenticateResult
}

export const hasRights = (result: AuthenticateResult): result is Rights => 'role' in result

export function createAuthenticate({ tokens, users, findSession, rest }: AuthenticateDeps): Authenticate {
  const findProxyUser = rest.proxy_user && createProxyUser(rest.proxy_user, users)

  function findCookie(req: IncomingMessage): AuthenticateResult {
    const secret = secretIn(req.headers.cookie ?? '', isSecure(req))
    if (secret === undefined) return {}
    if (!isTrustedHost(req.headers.host ?? '', rest.names)) return { problem: untrustedHost }
    return findSession(secret) ?? { problem: 'the session has ended' }
  }

  function authenticateRequest({ req, tokens: texts, isForeign }: Credentials): AuthenticateResult {
    let outcome: AuthenticateResult = {}
    for (const text of texts) {
      const found = text === '' ? undefined : tokens.find(text)
      if (found instanceof Object) return found
      // The header comes before the query.
      if (found !== undefined && outcome.problem === undefined) outcome = { problem: found }
    }
    if (isForeign) return outcome
    const session = findCookie(req)
    if (hasRights(session)) return session
    const user = findProxyUser?.(req) ?? {}
    if (hasRights(user)) return user
    return [outcome, user, session].find(each => each.problem !== undefined) ?? {}
  }

  return {
    token(text) {
      const found = tokens.find(text)
      return found instanceof Object ? found : undefined
    },
    request: authenticateRequest,
  }
}

export const isSecure = ({ socket }: IncomingMessage): boolean => 'encrypted' in socket

/** Users by the header of a proxy, which has logged them in itself. */
function createProxyUser({ header, from }: NonNullable<Options['rest']['proxy_user']>, users: Users) {
  const networks = new Networks(from)
  const key = header.toLowerCase()
  return (req: IncomingMessage): AuthenticateResult => {
    const value = req.headers[key]
    if (typeof value !== 'string' || value === '' || !networks.has(peerOf(req.socket))) return {}
    // Node reads headers as Latin-1.
    const name = Buffer.from(value, 'latin1').toString()
    return (
      users.use(users.named(name)?.row.id ?? 0) ?? { problem: 'the user of the proxy does not exist or is disabled' }
    )
  }
}
