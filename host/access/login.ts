// Logging in with a name and a password, with a token, or with a link: the response sets the cookie of a session.
import { hash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../refusal.ts'
import type { AccessService, LoginRequest, NewSession, Refusal, Rights } from '../services.ts'
import { isLoopback } from '../system/networks.ts'
import { toPrintable } from '../system/printable.ts'
import { LoginLimits } from './login-limits.ts'
import type { LoginLinks } from './login-links.ts'
import { adminRights } from './rights.ts'
import { cookieText } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'
import { isTrustedHost, untrustedHost } from './trusted-host.ts'
import type { Users } from './users.ts'

export interface LoginDeps {
  tokens: Tokens
  users: Users
  sessions: Sessions
  links: LoginLinks
  /** The token of the options; it may change. */
  apiToken: { readonly value: string }
  describe: AccessService['me']
  /** See `Session`; undefined for an account that is gone. */
  proofOf(reference: string): string | undefined
  rightsOf: AccessService['rightsOf']
  rest: { readonly names: readonly string[] }
}

/** Characters of a name in the log. */
const nameCharacters = 64

export function createLogin(deps: LoginDeps): AccessService['login'] {
  const { tokens, users, sessions, links, apiToken, describe, proofOf, rightsOf, rest } = deps
  const limits = new LoginLimits()

  function open(rights: Rights, request: LoginRequest): NewSession {
    request.identify(rights.name)
    const { reference } = rights
    const cookie = cookieText(sessions.create(reference, proofOf(reference) ?? ''), needsSecureCookie(request))
    return { cookie, caller: describe(rights) }
  }

  async function withPassword(name: string, password: string, request: LoginRequest): Promise<NewSession | Refusal> {
    const { caller } = request
    const shown = toPrintable(name, nameCharacters)
    const wait = await limits.admit(caller, name)
    if (wait) return refuse(`${wait.refused}: ${shown}`, wait.status)
    const entry = await users.verify(name, password)
    if (!entry) {
      await limits.failed(name)
      return refuse(`wrong name or password: ${shown}`, 401)
    }
    await limits.succeeded(caller, name)
    users.records.use(entry)
    return open(entry.rights, request)
  }

  async function withToken(token: string, request: LoginRequest): Promise<NewSession | Refusal> {
    const { caller } = request
    const wait = await limits.admitToken(caller)
    if (wait) return wait
    const found = isEqual(token, apiToken.value) ? adminRights : tokens.find(token)
    if (typeof found === 'string') return refuse(found, 401)
    await limits.tokenSucceeded(caller)
    return open(found, request)
  }

  function withLink(secret: string, request: LoginRequest): NewSession | Refusal {
    const refusal = checkLoopback(request)
    if (refusal) return refusal
    const reference = links.use(secret)
    const rights = reference === undefined ? undefined : rightsOf(reference)
    return rights ? open(rights, request) : refuse('the link was used before, or is too old', 401)
  }

  return async (credentials, request) => {
    // The session would not count, and the caller would be asked again and again.
    if (!isTrustedHost(request.header('Host'), rest.names)) return refuse(untrustedHost, 403)
    if ('link' in credentials) return withLink(credentials.link, request)
    return 'token' in credentials
      ? withToken(credentials.token, request)
      : withPassword(credentials.name, credentials.password, request)
  }
}

/** A link is for a browser on the server itself: elsewhere it would cross the network with what it opens. */
export const checkLoopback = ({ caller }: LoginRequest): Refusal | undefined =>
  isLoopback(caller) ? undefined : refuse(`a login link is for callers on the server itself, not for ${caller}`, 403)

/** Hashes have one length, so that the time does not depend on that of the texts. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))

/** A browser whose page came over TLS, also from a proxy, accepts the cookie only over TLS from now on. */
export const needsSecureCookie = ({ isSecure, header }: LoginRequest): boolean =>
  isSecure || header('Origin').startsWith('https://')
