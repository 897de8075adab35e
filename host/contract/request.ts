// What a request, its caller and a client are to a command; refusals and texts as answers.
import type { auditDetails } from '../../commands/_schemas/audit-records.ts'
import type { FromSchema } from './from-schema.ts'

export type Awaitable<T> = T | Promise<T>

/** What a command asks of its callers; each includes the ones before. */
export type Access = 'none' | 'read' | 'operate' | 'admin'

/** What a caller may do: that of a request, or of who made a schedule. */
export interface Rights {
  /** For people: with jobs, in events and in the audit log. `admin`, `token lab`, `user anna`, `pack notify`. */
  readonly name: string
  /** For stored rows: `admin`, `token:7`, `user:3`, `pack:notify`; '' for callers without a token. */
  readonly reference: string
  readonly role: Access
  /** The caller may only use the computers of some rooms or groups. */
  readonly isLimited: boolean
  /** Whether the computer is within the limits. A limited caller has no address without a record. */
  hasClient(addr: string): boolean
  /** Whether all computers of the room, also those that it may get, are within the limits. */
  hasRoom(id: number): boolean
  /** Whether the room, or a computer of it, is within the limits. */
  reachesRoom(id: number): boolean
  /** Whether all rooms of the center are within the limits. */
  hasCenter(id: number): boolean
  /** Whether the center, or a room or a computer of it, is within the limits. */
  reachesCenter(id: number): boolean
}

/** The request that a command answers, besides its payload. */
export interface Request<Query = Readonly<Record<string, string>>> {
  /** The parts of the path after the route; empty unless the module has `http: { rest: true }`. */
  rest: readonly string[]
  /** The query's values by key, checked by the module's schema `query`; a repeated key has its values joined with commas. */
  query: Query
  /** The value of a header, '' when it is absent. */
  header(name: string): string
  /** Sets the response header `X-Job-Id`. */
  job(id: number): void
  /** Sets the response header `X-Id`: the id of what was added. */
  created(id: number): void
  /** Sets the response header `X-Undo-Id`: with this id `POST /undo` takes back what the request has deleted or changed. */
  kept(id: number): void
  /** For the audit log: what the request is about, as in `room Studio with 12 computers`; of several calls the last one. */
  about(what: string, details?: AuditDetails): void
  /** The request header `X-Undo-Id`: the change of the caller to which this edit is added, so that both are taken back as one. */
  readonly joins: number | undefined
  /** Sets the response header `X-Warning` of an accepted request, for something that will not work as the caller expects. */
  warn(text: string): void
  /** For a command that logs in: who the caller turned out to be, for the audit log. */
  identify(name: string): void
  /** The query that has found the `clients` of the payload, if the caller has named them so. */
  readonly where?: string | undefined
  /** The caller's address. */
  readonly caller: string
  readonly rights: Rights
  /** The request came over TLS. */
  readonly isSecure: boolean
  /** Where the caller's connection has reached this server. */
  readonly server: { readonly address: string; readonly port: number }
  /** Aborted when the caller has closed the connection or has received the whole response. */
  readonly signal: AbortSignal
  /** Closes the caller's connection at once and logs the reason. */
  disconnect(reason: string): void
}

/** What a record of the audit log says of a change besides its words. */
export type AuditDetails = FromSchema<typeof auditDetails>

/** The client whose agent has replied. */
export interface Client {
  addr: string
  /** Sets the status by the agent's word, see the common schema `status`. */
  setStatus(word: string): void
  /** Mbit/s. */
  setSpeed(speed: number): void
  /** Stores what a script printed, cut at `limits.output` characters: for `POST /shell/output` and for the job. */
  setOutput(output: string): void
}

export interface Outcome {
  result: 'success' | 'failure' | 'skipped'
  reason?: string
  /** For work that goes on: the part of the job ends as this resolves, and the caller is not kept waiting. */
  end?: Promise<Outcome>
}

/** The failure of one client; `reason` is for its part of the job. */
export interface ReplyFailure {
  result: 'failure'
  reason: string
}

/** Made by `services.refuse`: the caller gets the status with an empty body, the log gets the reason. */
export interface Refusal {
  readonly refused: string
  readonly status: RefusalStatus
  readonly cause?: Cause
}

/** Why something was refused, for programs that word it themselves: a code, and what the reason names. */
export interface Cause {
  readonly code: string
  readonly [value: string]: string | number
}

/**
 * 401 is for commands that log in, 403 for callers without the right, 409 for what would
 * overwrite a later edit, 429 for what exceeds a limit for now, 500 for what a
 * module was asked and could not do.
 */
export type RefusalStatus = 400 | 401 | 403 | 409 | 429 | 500

/** Made by `services.text`: a response that is not JSON. */
export interface TextResponse {
  readonly status: number
  /** The media type. */
  readonly type: string
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** Who asks for work: a request is one. */
export type Caller = Pick<Request, 'caller' | 'rights'>

/** Who deletes, edits or imports something: a request is one. */
export type Changer = Pick<Request, 'rights'> & Partial<Pick<Request, 'joins' | 'kept' | 'about' | 'warn'>>
