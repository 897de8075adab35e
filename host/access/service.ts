// Tokens, users and sessions, as commands and the HTTP server ask for them.
import type { Store } from '../../stores/store.ts'
import { refuse } from '../refusal.ts'
import type { AccessService, LoginRequest, Rights } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import type { Log } from '../system/log.ts'
import { toPrintable } from '../system/printable.ts'
import type { LimitsOf } from './accounts.ts'
import { type Authenticate, type AuthenticateDeps, createAuthenticate } from './authenticate.ts'
import { LoginLimits } from './login-limits.ts'
import { adminRights } from './rights.ts'
import { cookieText, removedCookie, secretIn } from './session-cookie.ts'
import { Sessions } from './sessions.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'

export interface AccessDeps {
  store: Store
  limitsOf: LimitsOf
  clock: Clock
  log: Log
  rest: AuthenticateDeps['rest']
}

export interface Access {
  service: AccessService
  authenticate: Authenticate
  /** Reads tokens and users of the store: at the start, and when another process may have changed them. */
  reload(): Promise<void>
  /** Writes the last uses. */
  close(): Promise<void>
}

/** Characters of a name in the log. */
const nameCharacters = 64

export function createAccess({ store, limitsOf, clock, log, rest }: AccessDeps): Access {
  const sessions = new Sessions(clock)
  const tokens = new Tokens({ collection: store.tokens, limitsOf, clock, log })
  const users = new Users({
    collection: store.users,
    limitsOf,
    clock,
    log,
    locked: id => sessions.endAllOf(id),
  })
  return {
    service: {
      tokens: () => tokens.list(),
      addToken: (token, by) => tokens.add(token, by),
      updateToken: (id, change) => tokens.update(id, change),
      deleteToken: id => tokens.records.delete(id),
      users: () => users.list(),
      addUser: (user, by) => users.add(user, by),
      updateUser: (id, change) => users.update(id, change),
      deleteUser: id => users.delete(id),
      login: createLogin(users, sessions),
      logout(request) {
        const secret = secretIn(request.header('Cookie'), request.isSecure)
        if (secret !== undefined) sessions.end(secret)
        return removedCookie(needsSecureCookie(request))
      },
      me: rights => describeCaller(rights, tokens, users),
      rightsOf: reference => findRights(reference, tokens, users),
    },
    authenticate: createAuthenticate({ tokens, users, sessions, rest }),
    async reload() {
      await tokens.records.reload()
      await users.records.reload()
    },
    async close() {
      await tokens.records.close()
      await users.records.close()
    },
  }
}

function createLogin(users: Users, sessions: Sessions): AccessService['login'] {
  const limits = new LoginLimits()
  return async ({ name, password }, request) => {
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
    const { rights, row } = entry
    request.identify(rights.name)
    const cookie = cookieText(sessions.create(row.id), needsSecureCookie(request))
    return { cookie, caller: callerEntry(rights, row) }
  }
}

/** A browser whose page came over TLS, also from a proxy, accepts the cookie only over TLS from now on. */
const needsSecureCookie = ({ isSecure, header }: LoginRequest): boolean =>
  isSecure || header('Origin').startsWith('https://')

const referenceForm = /^(token|user):(\d{1,15})$/

function findRights(reference: string, tokens: Tokens, users: Users): Rights | undefined {
  if (reference === adminRights.reference) return adminRights
  const [, kind, id] = referenceForm.exec(reference) ?? []
  if (kind === undefined) return undefined
  return (kind === 'token' ? tokens : users).rightsOf(Number(id))
}

const callerEntry = ({ name, role }: Rights, { centers, rooms }: { centers: number[]; rooms: number[] }) => ({
  name,
  // Accounts have no role `none`.
  role: role === 'none' ? ('read' as const) : role,
  centers,
  rooms,
})

function describeCaller(rights: Rights, tokens: Tokens, users: Users) {
  const [, kind, id] = referenceForm.exec(rights.reference) ?? []
  const entry = kind === undefined ? undefined : (kind === 'token' ? tokens : users).records.get(Number(id))
  return callerEntry(rights, entry?.row ?? { centers: [], rooms: [] })
}
