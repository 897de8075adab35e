// What the page of the login and administrators ask of the provider of the option `oidc`, and logging out.
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { AccessService } from '../../contract/services.ts'
import { networkOf } from '../../system/networks.ts'
import { Counts } from '../../system/throttle.ts'
import { loginCookieText, removedCookie, secretIn } from '../cookies.ts'
import { type LoginDeps, needsSecureCookie, noProvider } from '../login.ts'
import { isTrustedHost, untrustedHost } from '../trusted-host.ts'
import { isOfProvider } from '../users.ts'
import { loginSeconds } from './begun-logins.ts'

type ProviderLogin = Pick<AccessService, 'loginProvider' | 'startLogin' | 'receivedClaims' | 'logout'>

/** Logins that one network may begin in a minute: each may cause two requests to the provider. */
const maxStarts = 600

export const createProviderLogin = (
  { provider, rest, sessions, index }: Pick<LoginDeps, 'provider' | 'rest' | 'sessions' | 'index'>,
  starts = new Counts(),
): ProviderLogin => ({
  loginProvider: () => (provider ? { label: provider.label } : {}),
  async startLogin(redirect, request) {
    if (!provider) return refuse(noProvider)
    // Its end would be refused.
    if (!isTrustedHost(request.header('Host'), rest.names)) return refuse(untrustedHost, 403)
    if (starts.add(networkOf(request.caller)) > maxStarts) return refuse('too many logins from this address', 429)
    const begun = await provider.begin(redirect)
    if (isRefusal(begun)) return begun
    return { url: begun.url, cookie: loginCookieText(begun.cookie, needsSecureCookie(request), loginSeconds) }
  },
  receivedClaims: () => provider?.received ?? [],
  async logout(request, redirect) {
    const secret = secretIn(request.header('Cookie'), request.isSecure) ?? ''
    const user = index.userOf(sessions.peek(secret)?.reference ?? '')
    sessions.end(secret)
    const cookie = removedCookie(needsSecureCookie(request))
    const isKnown = redirect !== undefined && user !== undefined && isOfProvider(user.row)
    const url = isKnown ? await provider?.endSessionUrl(redirect) : undefined
    return { cookie, ...(url !== undefined && { url }) }
  },
})
