// Tokens, users and sessions, as commands and the HTTP server ask for them.
import { hash } from 'node:crypto'
import type { Store } from '../../stores/store.ts'
import type { AccessService, LoginRequest, Rights } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { LimitsOf } from './accounts.ts'
import { type Authenticate, type AuthenticateDeps, createAuthenticate } from './authenticate.ts'
import { DeviceCookies } from './device-cookie.ts'
import { KeptSessions, type Session } from './kept-sessions.ts'
import { checkLoopback, createLogin, type LoginDeps, needsSecureCookie } from './login.ts'
import { LoginLinks } from './login-links.ts'
import { PasswordSlots } from './password-slots.ts'
import { Places } from './places.ts'
import { adminRights } from './rights.ts'
import { removedCookie, secretIn } from './session-cookie.ts'
import { Sessions } from './sessions.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'

interface AccessDeps {
  store: Store
  limitsOf: LimitsOf
  clock: Clock
  log: Log
  rest: AuthenticateDeps['rest']
  /** The token of the options; it may change. */
  apiToken: { readonly value: string }
  /** The data folder. */
  folder: string
}

export interface Access {
  service: AccessService
  authenticate: Authenticate
  /** As that of the service, for the administrator who reads the output of the program. */
  loginLink(): { path: string; seconds: number }
  /** Returns whether the session that the request came with still exists; always true when it came without one. */
  followSession(request: Pick<LoginRequest, 'header' | 'isSecure'>): () => boolean
  /** Reads tokens and users of the store: at the start, and when another process may have changed them. */
  reload(): Promise<void>
  /** Calls `listener` when the rights of accounts may have changed, here or on another host. */
  onChange(listener: () => void): void
  /** Writes the last uses. */
  close(): Promise<void>
}

export interface OpenedAccess {
  access: Access
  /** To be awaited before limited rights are asked. */
  refreshLimits(): Promise<void>
  /** The present rights of an account; undefined when it is gone, disabled or expired. */
  resolveRights(reference: string): Promise<Rights | undefined>
}

export async function openAccess(deps: Omit<AccessDeps, 'limitsOf'>): Promise<OpenedAccess> {
  const places = new Places(deps.store)
  const access = createAccess({ ...deps, limitsOf: places.limitsOf })
  await access.reload()
  return {
    access,
    refreshLimits: () => places.refresh(),
    async resolveRights(reference) {
      // Readers of events ask often, most of them without limits.
      if (access.service.rightsOf(reference)?.isLimited) await places.refresh()
      return access.service.rightsOf(reference)
    },
  }
}

function createAccess(deps: AccessDeps): Access {
  const { clock, log, rest, apiToken, folder } = deps
  const sessions = new Sessions(clock, new KeptSessions(folder, log))
  const devices = new DeviceCookies(folder, log)
  let onChange = () => {}
  const { tokens, users, slots } = createAccounts(deps, { sessions, changed: () => onChange() })
  const links = new LoginLinks(clock)
  const rightsOf = (reference: string) => findRights(reference, { tokens, users })
  const proofOf = createProofOf({ apiToken, tokens, users })
  const createLink = ({ reference }: Rights) => links.create({ reference, proof: proofOf(reference) ?? '' })
  const describe = (rights: Rights) => describeCaller(rights, { tokens, users })
  const findSession = createFindSession({ tokens, users, sessions, proofOf })
  return {
    service: {
      ...accountService(tokens, users),
      login: createLogin({
        tokens,
        users,
        sessions,
        links,
        apiToken,
        describe,
        proofOf,
        rightsOf,
        rest,
        slots,
        devices,
      }),
      loginLink: request => checkLoopback(request) ?? createLink(request.rights),
      logout(request) {
        const secret = secretIn(request.header('Cookie'), request.isSecure)
        if (secret !== undefined) sessions.end(secret)
        return removedCookie(needsSecureCookie(request))
      },
      me: describe,
      rightsOf,
    },
    loginLink: () => createLink(adminRights),
    authenticate: createAuthenticate({ tokens, users, rest, findSession }),
    followSession({ header, isSecure }) {
      const secret = secretIn(header('Cookie'), isSecure)
      const isOpen = (secret: string) => isSame(sessions.peek(secret), proofOf)
      return secret !== undefined && isOpen(secret) ? () => isOpen(secret) : () => true
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

const accountService = (tokens: Tokens, users: Users) =>
  ({
    tokens: () => tokens.list(),
    addToken: (token, by) => tokens.add(token, by),
    updateToken: (id, change) => tokens.update(id, change),
    deleteToken: id => tokens.delete(id),
    users: () => users.list(),
    addUser: (user, by) => users.add(user, by),
    updateUser: (id, change) => users.update(id, change),
    deleteUser: id => users.delete(id),
  }) satisfies Partial<AccessService>

function createAccounts(
  { store, limitsOf, clock, log }: AccessDeps,
  { sessions, changed }: { sessions: Sessions; changed(): void },
) {
  const slots = new PasswordSlots()
  const locked = (reference: string) => sessions.endAllOf(reference)
  const common = { limitsOf, clock, log, changed, locked }
  const tokens = new Tokens({ ...common, collection: store.tokens })
  const users = new Users({ ...common, collection: store.users, slots })
  return { tokens, users, slots }
}

/** Whether it is there, and its account has the password or token that was used to log in. */
const isSame = (session: Session | undefined, proofOf: LoginDeps['proofOf']): boolean =>
  session !== undefined && proofOf(session.reference) === session.proof

type AccountsDeps = Pick<LoginDeps, 'tokens' | 'users'>

/** Sessions have the rights of what was used to log in, as they are at each request. */
function createFindSession(
  deps: Pick<LoginDeps, 'sessions' | 'proofOf'> & AccountsDeps,
): AuthenticateDeps['findSession'] {
  const { sessions, proofOf } = deps
  return secret => {
    const session = sessions.find(secret)
    if (!session) return undefined
    if (isSame(session, proofOf)) {
      if (session.reference === adminRights.reference) return adminRights
      const { accounts, id } = parseReference(session.reference, deps)
      const rights = accounts.use(id)
      if (rights) return rights
    }
    // For good, as the token may get a later expiry.
    sessions.end(secret)
    return undefined
  }
}

function createProofOf({ apiToken, ...deps }: Pick<LoginDeps, 'apiToken'> & AccountsDeps) {
  return (reference: string): string | undefined => {
    if (reference === adminRights.reference) return hash('sha256', apiToken.value)
    const { accounts, id } = parseReference(reference, deps)
    const entry = accounts.get(id)
    return entry && hash('sha256', entry.row.hash)
  }
}

/** The collection and the id of an account. */
function parseReference(reference: string, { tokens, users }: AccountsDeps) {
  const [, kind, id] = /^(token|user):(\d{1,15})$/.exec(reference) ?? []
  return { accounts: kind === 'token' ? tokens : users, id: Number(id) }
}

function findRights(reference: string, deps: AccountsDeps): Rights | undefined {
  if (reference === adminRights.reference) return adminRights
  const { accounts, id } = parseReference(reference, deps)
  return accounts.rightsOf(id)
}

function describeCaller({ name, role, reference }: Rights, deps: AccountsDeps) {
  const { accounts, id } = parseReference(reference, deps)
  const { centers = [], rooms = [] } = accounts.get(id)?.row ?? {}
  // Accounts have no role `none`.
  return { name, role: role === 'none' ? ('read' as const) : role, centers, rooms }
}
