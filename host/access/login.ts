// Logging in with a name and a password, or with a token: the response sets the cookie of a session.
import { hash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../refusal.ts'
import type { AccessService, LoginRequest, NewSession, Refusal, Rights } from '../services.ts'
import { toPrintable } from '../system/printable.ts'
import { LoginLimits } from './login-limits.ts'
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
  /** The token of the options; it may change. */
  apiToken: { readonly value: string }
  describe: AccessService['me']
  /** See `Session`; undefined for an account that is gone. */
  proofOf(reference: string): string | undefined
  rest: { readonly names: readonly string[] }
}

/** Characters of a name in the log. */
const nameCharacters = 64

export function createLogin(deps: LoginDeps): AccessService['login'] {
  const { tokens, users, sessions, apiToken, describe, proofOf, rest } = deps
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

  return async (credentials, request) => {
    // The session would not count, and the caller would be asked again and again.
    if (!isTrustedHost(request.header('Host'), rest.names)) return refuse(untrustedHost, 403)
    return 'token' in credentials
      ? withToken(credentials.token, request)
      : withPassword(credentials.name, credentials.password, request)
  }
}

/** Hashes have one length, so that the time does not depend on that of the texts. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))

/** A browser whose page came over TLS, also from a proxy, accepts the cookie only over TLS from now on. */
export const needsSecureCookie = ({ isSecure, header }: LoginRequest): boolean =>
  isSecure || header('Origin').startsWith('https://')
