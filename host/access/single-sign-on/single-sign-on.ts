// Logs people in who come back from the provider of the option `oidc`: rules say what their claims give them.
import { hash } from 'node:crypto'
import type { OidcOptions } from '../../config/oidc-options.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { ReceivedClaims, Refusal } from '../../contract/services.ts'
import { message } from '../../log/log.ts'
import { toPrintable } from '../../log/shown-text.ts'
import type { Clock } from '../../system/clock.ts'
import type { ProviderUser } from '../users.ts'
import { type BegunLogin, BegunLogins } from './begun-logins.ts'
import { type Claims, Provider } from './provider.ts'
import { claimNamed, findRule } from './rules.ts'

/** Logins whose claims administrators can read. */
const maxReceived = 20
/** Characters of what the provider says of an error. */
const reasonCharacters = 300

const ended = 'the login at the provider was not begun in this browser, was used before, or took too long'
const validName = /^[^\p{C}]{1,64}$/u

interface ReturnedLogin {
  url: URL
  login: BegunLogin
}

export class SingleSignOn {
  readonly #options: OidcOptions
  readonly #provider: Provider
  readonly #begun: BegunLogins
  readonly #clock: Clock
  /** The newest first. */
  #received: ReceivedClaims[] = []

  constructor(options: OidcOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
    this.#provider = new Provider(options, clock)
    this.#begun = new BegunLogins(clock)
  }

  get label(): string {
    return this.#options.label
  }

  get received(): ReceivedClaims[] {
    return this.#received
  }

  async begin(redirect: string): Promise<{ url: string; cookie: string } | Refusal> {
    const problem = problemOfAddress(redirect)
    if (problem !== undefined) return refuse(problem)
    try {
      const { url, ...secrets } = await this.#provider.begin(redirect)
      return { url, cookie: this.#begun.seal({ ...secrets, redirect }) }
    } catch (error) {
      return refuse(`the provider ${this.#options.issuer} cannot be asked: ${reasonOf(error)}`, 500)
    }
  }

  endSessionUrl(redirect: string): Promise<string | undefined> {
    return this.#provider.endSessionUrl(redirect)
  }

  /** The login whose browser came back to this address with this cookie. It counts once. */
  take(redirected: string, cookie: string | undefined): ReturnedLogin | Refusal {
    const url = URL.canParse(redirected) ? new URL(redirected) : undefined
    const login = url && cookie !== undefined && this.#begun.take(cookie, url.searchParams.get('state') ?? '')
    return login && redirected.startsWith(`${login.redirect}?`) ? { url, login } : refuse(ended, 401)
  }

  /**
   * `identify` is called with the name of a person whom the provider knows, also when no rule is for that person;
   * `endUser` with the identity then.
   */
  async finish(
    { url, login }: ReturnedLogin,
    identify: (name: string) => void,
    endUser: (identity: string) => Promise<void>,
  ): Promise<ProviderUser | Refusal> {
    try {
      const claims = await this.#provider.finish(url, login)
      const identity = hash('sha256', JSON.stringify([this.#options.issuer, claims.sub]), 'base64url')
      const found = this.#find(claims, identity, identify)
      if (isRefusal(found)) await endUser(identity)
      return found
    } catch (error) {
      const reason = `the login at the provider failed: ${reasonOf(error)}`
      this.#note({ reason })
      return refuse(reason, 401)
    }
  }

  #find(claims: Claims & { sub: string }, identity: string, identify: (name: string) => void): ProviderUser | Refusal {
    const { user, rules } = this.#options
    const name = claimNamed(claims, user)
    const isName = typeof name === 'string' && validName.test(name)
    identify(`user ${isName ? name : toPrintable(claims.sub, reasonCharacters)}`)
    if (!isName) {
      return this.#refuse(claims, `oidc.user: expected 1 to 64 characters in the claim ${user}, got ${shown(name)}`)
    }
    const index = findRule(rules, claims)
    const rule = rules[index]
    if (!rule) return this.#refuse(claims, 'no rule of oidc.rules is for the claims of this person')
    this.#note({ rule: index, claims })
    const { role, centers, rooms, groups } = rule
    return { name, identity, role, centers, rooms, groups }
  }

  #refuse(claims: Claims, reason: string): Refusal {
    this.#note({ reason, claims })
    return refuse(reason, 403)
  }

  #note(outcome: Omit<ReceivedClaims, 'time'>): void {
    const time = new Date(this.#clock.now()).toISOString()
    this.#received = [{ time, ...outcome }, ...this.#received].slice(0, maxReceived)
  }
}

const shown = (name: unknown): string => (name === undefined ? 'none' : toPrintable(JSON.stringify(name), 100))

/** The provider decides which addresses it sends browsers to; this one is compared with where they come from. */
function problemOfAddress(redirect: string): string | undefined {
  const url = URL.canParse(redirect) ? new URL(redirect) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.href === redirect && !/[?#]/.test(redirect)) return undefined
  return 'redirect: expected the address of a page without query, such as https://fleet.example.org/console'
}

/** The errors of the library have the response of the provider in two further keys, or in those of a challenge. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const challenges = Array.isArray(cause) ? cause.map(challenge => challenge?.parameters) : []
  const sources = [error, ...challenges].filter(each => each instanceof Object)
  const texts = sources.flatMap(each => ['error', 'error_description'].map(key => Reflect.get(each, key)))
  return toPrintable([message(error), ...texts.filter(each => typeof each === 'string')].join(': '), reasonCharacters)
}
