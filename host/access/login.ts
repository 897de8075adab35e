// Logging in with a name and a password, with a token, with a link, or by a provider: the response sets the cookie of a
// session. Users change their passwords here, too, as a present one may be guessed in both ways.
import { hash, timingSafeEqual } from 'node:crypto'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { AccessService, LoginRequest, NewSession, Refusal, Request, Rights } from '../contract/services.ts'
import { toPrintable } from '../log/shown-text.ts'
import { isLoopback } from '../system/networks.ts'
import type { AccountIndex } from './account-index.ts'
import { begunLoginIn, cookieText, type DeviceCookies, loginCookieText, secretIn } from './cookies.ts'
import type { LoginLinks } from './login-links.ts'
import { LoginThrottle } from './login-throttle.ts'
import type { PasswordSlots } from './password-slots.ts'
import { adminRights } from './rights.ts'
import type { Sessions } from './sessions.ts'
import type { SingleSignOn } from './single-sign-on/single-sign-on.ts'
import type { Tokens } from './tokens.ts'
import { isTrustedHost, untrustedHost } from './trusted-host.ts'
import { isOfProvider, type Users } from './users.ts'

export interface LoginDeps {
  tokens: Tokens
  users: Users
  sessions: Sessions
  links: LoginLinks
  /** The token of the options; it may change. */
  apiToken: { readonly value: string }
  index: AccountIndex
  rest: { readonly names: readonly string[] }
  slots: PasswordSlots
  devices: DeviceCookies
  /** Undefined without the option `oidc`. */
  provider: SingleSignOn | undefined
}

type Credentials = Parameters<AccessService['login']>[0]

/** Characters of a name in the log. */
const nameCharacters = 64

/** Finds the user with a name and a password; `device`: of a browser in which the user has logged in before. */
function createVerify({ users, devices }: Pick<LoginDeps, 'users' | 'devices'>, limits: LoginThrottle) {
  return async (name: string, password: string, { caller: addr, header, isSecure, about }: LoginRequest) => {
    const user = users.named(name)
    const refuseLogin = ({ refused, status }: Refusal) => {
      // What is no name of a user may be a password in the wrong field.
      about(user ? user.row.name : 'an unknown name')
      return refuse(`${refused}: ${toPrintable(name, nameCharacters)}`, status)
    }
    const device = user && devices.find(header('Cookie'), isSecure, user.row.id)
    const admitted = await limits.admit({ name, isUser: user !== undefined, addr, device })
    if (isRefusal(admitted)) return refuseLogin(admitted)
    const entry = await users.verify(name, password, admitted)
    if (!entry) return refuseLogin(admitted.failed())
    admitted.succeeded()
    return { entry, device }
  }
}

type Open = (rights: Rights, request: LoginRequest) => NewSession

/** Only who comes back from no login that was begun here counts as who guesses: many log in at once from one address. */
const loginByProvider =
  ({ provider, users }: Pick<LoginDeps, 'provider' | 'users'>, limits: LoginThrottle, open: Open) =>
  async (redirected: string, request: LoginRequest): Promise<NewSession | Refusal> => {
    if (!provider) return refuse(noProvider)
    const { caller: addr, header, isSecure, identify } = request
    const begun = provider.take(redirected, begunLoginIn(header('Cookie'), isSecure))
    if (isRefusal(begun)) {
      const admitted = await limits.admit({ name: hash('sha256', redirected), isUser: false, addr, device: undefined })
      return isRefusal(admitted) ? admitted : begun
    }
    const found = await provider.finish(begun, identify, identity => users.endOfProvider(identity))
    const rights = isRefusal(found) ? found : await users.fromProvider(found)
    if (isRefusal(rights)) return rights
    const { cookies, caller } = open(rights, request)
    return { cookies: [...cookies, loginCookieText('', needsSecureCookie(request), 0)], caller }
  }

export function createLogin(deps: LoginDeps): Pick<AccessService, 'login' | 'changePassword'> {
  const { tokens, users, sessions, links, apiToken, index, rest, devices } = deps
  const limits = new LoginThrottle(deps.slots)
  const verify = createVerify(deps, limits)

  function open(rights: Rights, request: LoginRequest): NewSession {
    request.identify(rights.name)
    const { reference } = rights
    const cookie = cookieText(sessions.create(reference, index.proofOf(reference) ?? ''), needsSecureCookie(request))
    return { cookies: [cookie], caller: index.describe(rights) }
  }

  const withProvider = loginByProvider(deps, limits, open)

  async function withPassword(name: string, password: string, request: LoginRequest): Promise<NewSession | Refusal> {
    const verified = await verify(name, password, request)
    if (isRefusal(verified)) return verified
    const { entry, device } = verified
    users.noteUse(entry.row.id)
    const { cookies, caller } = open(entry.rights, request)
    return { cookies: [...cookies, devices.create(entry.row.id, needsSecureCookie(request), device)], caller }
  }

  async function changePassword(
    { old, password }: { old: string; password: string },
    request: LoginRequest & Pick<Request, 'rights'>,
  ): Promise<NewSession | Refusal> {
    const { rights, header, isSecure } = request
    const user = index.userOf(rights.reference)
    if (user && isOfProvider(user.row)) return refuse(`${rights.name} logs in by a provider and has no password here`)
    if (!user) return refuse(`expected a user who has logged in, got ${rights.name}`)
    const verified = await verify(user.row.name, old, request)
    // 401 would say that the session has ended.
    if (isRefusal(verified)) return verified.status === 401 ? refuse('old: expected the present password') : verified
    const refusal = await users.update(user.row.id, { password })
    if (refusal) return refusal
    // Who came by a proxy has no session that it could replace.
    const hasSession = secretIn(header('Cookie'), isSecure) !== undefined
    return hasSession ? open(rights, request) : { cookies: [], caller: index.describe(rights) }
  }

  /** However often it is wrong: nobody can guess one, and who has a right one waits for nobody. */
  function withToken(token: string, request: LoginRequest): NewSession | Refusal {
    const found = isEqual(token, apiToken.value) ? adminRights : tokens.find(token)
    return typeof found === 'string' ? refuse(found, 401) : open(found, request)
  }

  function withLink(secret: string, request: LoginRequest): NewSession | Refusal {
    const refusal = checkLoopback(request)
    if (refusal) return refusal
    const link = links.use(secret)
    // Not after another password or token: it would open a session that outlives the change.
    const rights = link && index.proofOf(link.reference) === link.proof ? index.rightsOf(link.reference) : undefined
    return rights ? open(rights, request) : refuse('the link was used before, or is too old', 401)
  }

  async function login(credentials: Credentials, request: LoginRequest): Promise<NewSession | Refusal> {
    // The session would not count, and the caller would be asked again and again.
    if (!isTrustedHost(request.header('Host'), rest.names)) return refuse(untrustedHost, 403)
    if ('redirected' in credentials) return withProvider(credentials.redirected, request)
    if ('link' in credentials) return withLink(credentials.link, request)
    return 'token' in credentials
      ? withToken(credentials.token, request)
      : withPassword(credentials.name, credentials.password, request)
  }

  return { login, changePassword }
}

export const noProvider = 'expected the option oidc, which names a provider, got none'

/** A link is for a browser on the server itself: elsewhere it would cross the network with what it opens. */
export const checkLoopback = ({ caller }: LoginRequest): Refusal | undefined =>
  isLoopback(caller) ? undefined : refuse(`a login link is for callers on the server itself, not for ${caller}`, 403)

/** Hashes have one length, so that the time does not depend on that of the texts. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))

/** A browser whose page came over TLS, also from a proxy, accepts the cookie only over TLS from now on. */
export const needsSecureCookie = ({ isSecure, header }: LoginRequest): boolean =>
  isSecure || header('Origin').startsWith('https://')
