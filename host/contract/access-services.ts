// What commands do with tokens, users, logins and the audit log.
import type { caller, receivedClaims } from '../../commands/_schemas/accounts.ts'
import type { auditQuery } from '../../commands/_schemas/audit-query.ts'
import type { auditResult } from '../../commands/_schemas/audit-records.ts'
import type { Token, User } from '../../stores/store.ts'
import type { FromSchema } from './from-schema.ts'
import type { Changer, Refusal, Request, Rights } from './request.ts'

/** What a new token has; without centers, rooms and groups it is for all computers. */
export type NewToken = Pick<Token, 'name' | 'role'> & Partial<Pick<Token, 'centers' | 'rooms' | 'groups' | 'expires'>>

/** Absent keys keep their values. */
export type TokenChange = Partial<
  Pick<Token, 'name' | 'role' | 'centers' | 'rooms' | 'groups' | 'expires' | 'disabled'>
>

export type TokenEntry = Omit<Token, 'hash'>

export type NewUser = Pick<User, 'name' | 'role'> &
  Partial<Pick<User, 'centers' | 'rooms' | 'groups'>> & { password: string }

/** Absent keys keep their values. */
export type UserChange = Partial<
  Pick<User, 'name' | 'role' | 'centers' | 'rooms' | 'groups' | 'disabled'> & { password: string }
>

export type UserEntry = Omit<User, 'hash'>

/** Who a caller is. */
export type CallerEntry = FromSchema<typeof caller>

/** The claims of a login by the provider, and what came of it. */
export type ReceivedClaims = FromSchema<typeof receivedClaims>

/** A session of a user, or of the holder of a token. */
export interface NewSession {
  /** The headers `Set-Cookie`, that of the session first. */
  cookies: string[]
  caller: CallerEntry
}

/** Tokens, users and sessions. `by` is the name of who asks. */
export interface AccessService {
  tokens(): TokenEntry[]
  /** Resolves to the id and the token itself, which cannot be read again. */
  addToken(token: NewToken, by: string): Promise<{ id: number; token: string } | Refusal>
  /** With `changer`, here and of users, the audit log has what was changed. */
  updateToken(id: number, change: TokenChange, changer?: Changer): Promise<Refusal | undefined>
  /** With `changer` it can be taken back. */
  deleteToken(id: number, changer?: Changer): Promise<Refusal | undefined>
  users(): UserEntry[]
  /** Resolves to the id. */
  addUser(user: NewUser, by: string): Promise<number | Refusal>
  /** A new password, and `disabled`, end the sessions of the user. */
  updateUser(id: number, change: UserChange, changer?: Changer): Promise<Refusal | undefined>
  /** With `changer` it can be taken back. */
  deleteUser(id: number, changer?: Changer): Promise<Refusal | undefined>
  /**
   * Refused with 401 for a wrong name or password, a wrong token, or a login that the provider does not confirm, with
   * 403 for a person without rights here, and with 429 after many failures. `redirected` is where the provider sent the
   * browser.
   */
  login(
    credentials: { name: string; password: string } | { token: string } | { link: string } | { redirected: string },
    request: LoginRequest,
  ): Promise<NewSession | Refusal>
  /** The text of the button that leads to the provider of the option `oidc`; absent without one. */
  loginProvider(): { label?: string }
  /**
   * The address of the provider for a login that ends at `redirect`, and the header `Set-Cookie` that it needs then.
   * Refused with 500 when the provider is away.
   */
  startLogin(redirect: string, request: LoginRequest): Promise<{ url: string; cookie: string } | Refusal>
  /** Of the last logins by the provider, the newest first. */
  receivedClaims(): ReceivedClaims[]
  /**
   * Changes the password of the user who asks, and ends the user's sessions; that of the request is replaced. Refused
   * for other callers and for a wrong present password, and with 429 after many of these.
   */
  changePassword(
    passwords: { old: string; password: string },
    request: LoginRequest & Pick<Request, 'rights'>,
  ): Promise<NewSession | Refusal>
  /**
   * A path of the console that logs a browser in as the caller, once and for that many seconds. Refused with 403 for
   * callers that are not on the server itself.
   */
  loginLink(request: LoginRequest & Pick<Request, 'rights'>): { path: string; seconds: number } | Refusal
  /**
   * Ends the session of the request; `cookie` is the header `Set-Cookie`, `url` where the browser of a person whom the
   * provider has logged in ends the session there, to come back to `redirect`.
   */
  logout(request: LoginRequest, redirect?: string): Promise<{ cookie: string; url?: string }>
  /** The rights of a named token that somebody has sent as a text; undefined when it is wrong, disabled or expired. */
  holderOf(token: string): Rights | undefined
  me(rights: Rights): CallerEntry
  /** The present rights of a reference, see `Rights`; undefined when it is gone, disabled or expired. */
  rightsOf(reference: string): Rights | undefined
}

export type LoginRequest = Pick<Request, 'identify' | 'about' | 'caller' | 'header' | 'isSecure'>

/** The oldest record first. `next` is for `after` of the following page; equal to `after` when there was no more. */
export type AuditPage = FromSchema<typeof auditResult>
/** A write that was accepted or refused, or the run of a schedule. */
export type AuditRecord = AuditPage['audit'][number]

export type AuditQuery = Omit<FromSchema<typeof auditQuery>, 'limit'> & { limit: number }

export interface AuditService {
  read(query: AuditQuery): Promise<AuditPage>
}
