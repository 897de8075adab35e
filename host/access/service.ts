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
import { adminRights } from './rights.ts'
import { removedCookie, secretIn } from './session-cookie.ts'
import { Sessions } from './sessions.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'

export interface AccessDeps {
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

export function createAccess(deps: AccessDeps): Access {
  const { clock, log, rest, apiToken, folder } = deps
  const sessions = new Sessions(clock, new KeptSessions(folder, log))
  const devices = new DeviceCookies(folder, log)
  let onChange = () => {}
  const { tokens, users, slots } = createAccounts(deps, { sessions, changed: () => onChange() })
  const links = new LoginLinks(clock)
  const rightsOf = (reference: string) => findRights(reference, tokens, users)
  const proofOf = createProofOf({ apiToken, tokens, users })
  const createLink = ({ reference }: Rights) => links.create({ reference, proof: proofOf(reference) ?? '' })
  const describe = (rights: Rights) => describeCaller(rights, tokens, users)
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
      await tokens.records.reload()
      await users.records.reload()
      endSessionsOfDisabled({ tokens, users, sessions })
    },
    onChange(listener) {
      onChange = listener
    },
    async close() {
      sessions.write()
      await tokens.records.close()
      await users.records.close()
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
  const common = { limitsOf, clock, log, changed }
  const tokens = new Tokens({
    ...common,
    collection: store.tokens,
    locked: id => sessions.endAllOf(`token:${id}`),
  })
  const users = new Users({
    ...common,
    collection: store.users,
    locked: id => sessions.endAllOf(`user:${id}`),
    slots,
  })
  return { tokens, users, slots }
}

/** Of accounts that another host has disabled: they do not come back when these are enabled again. */
function endSessionsOfDisabled({ tokens, users, sessions }: Pick<LoginDeps, 'tokens' | 'users' | 'sessions'>): void {
  for (const { row } of tokens.records.list()) if (row.disabled) sessions.endAllOf(`token:${row.id}`)
  for (const { row } of users.records.list()) if (row.disabled) sessions.endAllOf(`user:${row.id}`)
}

/** Whether it is there, and its account has the password or token that was used to log in. */
const isSame = (session: Session | undefined, proofOf: LoginDeps['proofOf']): boolean =>
  session !== undefined && proofOf(session.reference) === session.proof

type SessionDeps = Pick<LoginDeps, 'tokens' | 'users' | 'sessions' | 'proofOf'>

/** Sessions have the rights of what was used to log in, as they are at each request. */
function createFindSession({ tokens, users, sessions, proofOf }: SessionDeps): AuthenticateDeps['findSession'] {
  return secret => {
    const session = sessions.find(secret)
    if (!session) return undefined
    const { reference, proof } = session
    const isSame = proofOf(reference) === proof
    if (isSame && reference === adminRights.reference) return adminRights
    const account = isSame ? parseReference(reference) : undefined
    const rights = account?.kind === 'token' ? tokens.use(account.id) : account && users.find(account.id)
    if (rights) return rights
    // For good, as the token may get a later expiry.
    sessions.end(secret)
    return undefined
  }
}

function createProofOf({ apiToken, tokens, users }: Pick<LoginDeps, 'apiToken' | 'tokens' | 'users'>) {
  return (reference: string): string | undefined => {
    if (reference === adminRights.reference) return hash('sha256', apiToken.value)
    const entry = findEntry(reference, tokens, users)
    return entry && hash('sha256', entry.row.hash)
  }
}

function parseReference(reference: string): { kind: string; id: number } | undefined {
  const [, kind, id] = /^(token|user):(\d{1,15})$/.exec(reference) ?? []
  return kind === undefined ? undefined : { kind, id: Number(id) }
}

function findEntry(reference: string, tokens: Tokens, users: Users) {
  const account = parseReference(reference)
  return account && (account.kind === 'token' ? tokens : users).records.get(account.id)
}

function findRights(reference: string, tokens: Tokens, users: Users): Rights | undefined {
  if (reference === adminRights.reference) return adminRights
  const account = parseReference(reference)
  return account && (account.kind === 'token' ? tokens : users).rightsOf(account.id)
}

const callerEntry = ({ name, role }: Rights, { centers, rooms }: { centers: number[]; rooms: number[] }) => ({
  name,
  // Accounts have no role `none`.
  role: role === 'none' ? ('read' as const) : role,
  centers,
  rooms,
})

function describeCaller(rights: Rights, tokens: Tokens, users: Users) {
  const entry = findEntry(rights.reference, tokens, users)
  return callerEntry(rights, entry?.row ?? { centers: [], rooms: [] })
}
