// Tokens, users and sessions, as commands and the HTTP server ask for them.
import type { Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import { refuse } from '../contract/refusal.ts'
import type { AccessService, LoginRequest, Refusal, Rights } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { checkGranting } from '../search/granting-groups.ts'
import type { Keep } from '../store/undo-bin.ts'
import type { Clock } from '../system/clock.ts'
import { AccountIndex } from './account-index.ts'
import { AccountScopes } from './account-scopes.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { DeviceCookies, secretIn } from './cookies.ts'
import { checkLoopback, createLogin } from './login.ts'
import { LoginLinks } from './login-links.ts'
import { PasswordSlots } from './password-slots.ts'
import { adminRights } from './rights.ts'
import { type Session, Sessions } from './sessions.ts'
import { createProviderLogin } from './single-sign-on/provider-login.ts'
import { SingleSignOn } from './single-sign-on/single-sign-on.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'

export interface AccessDeps {
  store: Store
  keep: Keep
  clock: Clock
  log: Log
  options: Pick<Options, 'rest' | 'store' | 'oidc'>
  /** The API token; it may change. */
  token: { readonly value: string }
  /** See `AccountIndex`. */
  packs: { resolve(reference: string): Rights | undefined }
}

export interface Access {
  service: AccessService
  authenticate: Authenticate
  /** As that of the service, for the administrator who reads the output of the program. */
  loginLink(): { path: string; seconds: number }
  /** Returns whether the session that the request came with still exists; always true when it came without one. */
  followSession(request: Pick<LoginRequest, 'header' | 'isSecure'>): () => boolean
  /** To be awaited before limited rights are asked. */
  refreshScopes(): Promise<void>
  /** The present rights of an account; undefined when it is gone, disabled or expired. */
  resolveRights(reference: string): Promise<Rights | undefined>
  /** Reads tokens and users of the store: at the start, and when another process may have changed them. */
  reload(): Promise<void>
  /** Calls `listener` when the rights of accounts may have changed, here or on another host. */
  onChange(listener: () => void): void
  /** Writes the last uses. */
  close(): Promise<void>
}

export async function openAccess(deps: AccessDeps): Promise<Access> {
  const access = createAccess(deps)
  await access.reload()
  return access
}

function createAccess({ store, keep, clock, log, options, token: apiToken, packs }: AccessDeps): Access {
  const { rest, oidc } = options
  const folder = options.store.path
  const scopes = new AccountScopes(store)
  const sessions = new Sessions(clock, folder, log)
  const devices = new DeviceCookies(folder, log)
  const slots = new PasswordSlots()
  let onChange = () => {}
  const locked = (reference: string) => sessions.endAllOf(reference)
  const common = { scopeOf: scopes.scopeOf, store, keep, clock, log, changed: () => onChange(), locked }
  const tokens = new Tokens({ ...common, collection: store.tokens })
  const users = new Users({ ...common, collection: store.users, slots })
  const index = new AccountIndex({ tokens, users, apiToken, resolvePack: reference => packs.resolve(reference) })
  const links = new LoginLinks(clock)
  const provider = oidc && new SingleSignOn(oidc, clock)
  const createLink = ({ reference }: Rights) => links.create({ reference, proof: index.proofOf(reference) ?? '' })
  /** Whether its account has the password or token that was used to log in. */
  const isOpen = (session: Session | undefined) => session && index.proofOf(session.reference) === session.proof
  return {
    service: {
      ...accountService(tokens, users, store),
      ...createLogin({ tokens, users, sessions, links, apiToken, index, rest, slots, devices, provider }),
      ...createProviderLogin({ provider, rest, sessions, index }),
      loginLink: request => checkLoopback(request) ?? createLink(request.rights),
      holderOf(text) {
        const found = tokens.find(text)
        return found instanceof Object ? found : undefined
      },
      me: rights => index.describe(rights),
      rightsOf: reference => index.rightsOf(reference),
    },
    loginLink: () => createLink(adminRights),
    authenticate: createAuthenticate({
      tokens,
      users,
      rest,
      findSession(secret) {
        const session = sessions.find(secret)
        const rights = session && isOpen(session) ? index.rightsOf(session.reference, true) : undefined
        // For good, as the token may get a later expiry.
        if (session && !rights) sessions.end(secret)
        return rights
      },
    }),
    followSession({ header, isSecure }) {
      const secret = secretIn(header('Cookie'), isSecure) ?? ''
      return isOpen(sessions.peek(secret)) ? () => isOpen(sessions.peek(secret)) === true : () => true
    },
    refreshScopes: () => scopes.refresh(),
    async resolveRights(reference) {
      // Readers of events ask often, most of them without limits.
      if (index.rightsOf(reference)?.isLimited) await scopes.refresh()
      return index.rightsOf(reference)
    },
    async reload() {
      await tokens.reload()
      await users.reload()
    },
    onChange(listener) {
      onChange = listener
    },
    async close() {
      sessions.write()
      await tokens.close()
      await users.close()
    },
  }
}

function accountService(tokens: Tokens, users: Users, store: Pick<Store, 'groups'>) {
  /** The result of `work`, or why the groups cannot be limits. */
  async function limited<Result>(
    { groups = [] }: { groups?: readonly number[] | undefined },
    work: () => Promise<Result>,
  ): Promise<Result | Refusal> {
    const all = groups.length > 0 ? await store.groups.list() : []
    for (const id of groups) {
      const group = all.find(each => each.id === id)
      if (!group) return refuse(`groups: expected ids of groups, got ${id}, which does not exist`)
      const problem = checkGranting(group, all)
      if (problem !== undefined) return refuse(problem)
    }
    return work()
  }
  return {
    tokens: () => tokens.list(),
    addToken: (token, by) => limited(token, () => tokens.add(token, by)),
    updateToken: (id, change, changer) => limited(change, () => tokens.update(id, change, changer)),
    deleteToken: (id, changer) => tokens.delete(id, changer),
    users: () => users.list(),
    addUser: (user, by) => limited(user, () => users.add(user, by)),
    updateUser: (id, change, changer) => limited(change, () => users.update(id, change, changer)),
    deleteUser: (id, changer) => users.delete(id, changer),
  } satisfies Partial<AccessService>
}
