// The type of Koa's context in this service: what the steps leave in `ctx.state`, and how each of them refuses.
import type { OutgoingHttpHeaders } from 'node:http'
import type { Middleware, ParameterizedContext } from 'koa'
import type { AuthFailures } from '../access/auth-failures.ts'
import type { Authenticate } from '../access/authenticate.ts'
import type { Options } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { AuditDetails, Cause, Rights, SearchService } from '../contract/services.ts'
import type { Execute } from '../jobs/execute.ts'
import type { Log } from '../log/log.ts'
import type { ThrottledLog } from '../log/throttled-log.ts'
import type { RouteTable } from '../modules/route-table.ts'

/** The statuses of the specification's section on errors, 403 for a page of another origin, 409 for what would overwrite a later edit, 413 for a request over the limit. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500

/** What the steps of a request use. */
export interface StepDeps {
  options: Pick<Options, 'rest' | 'limits'>
  log: Log
  /** The API token; it may change at any time. */
  token: { readonly value: string }
  authenticate: Authenticate
  authFailures: AuthFailures
  registry: { readonly table: RouteTable }
  execute: Execute
  /** To be awaited before limited rights are asked. */
  refreshScopes(): Promise<void>
  findTargets: SearchService['targets']
}

export interface RequestState {
  /** The routes that this request keeps, even when a command file changes before it ends. */
  table?: RouteTable
  /** Of the request line and the headers. */
  headBytes?: number
  /** What the caller may do; absent until a token was found right. */
  rights?: Rights
  /** The command is served to callers without a token. */
  isOpen?: boolean
  /** The bytes of the body. */
  raw?: Buffer
  /** The value of a body that is not empty. */
  body?: { value: unknown }
  /** The command that answers. */
  loaded?: LoadedCommand
  /** The response, until it is sent at the end of the tick. */
  json?: { head: OutgoingHttpHeaders; body: string | Uint8Array }
  /** Who the caller turned out to be, and what the request is about, for the audit log. */
  who?: string
  about?: { what: string; details?: AuditDetails | undefined }
  /** Why it was refused, for people and for programs. */
  reason?: string
  cause?: Cause | undefined
}

/** What createApp adds to Koa's context. */
export interface Refusing {
  /** Responds without a body; `throttledLog`: the log of this refusal, when it is not that of all. */
  refuse(status: RefusalStatus, reason: string, throttledLog?: ThrottledLog): void
  /** For a bug or a store fault: 500, its reason for a caller whose token is right, and one line with the stack. */
  fail(where: string, error: unknown): void
}

export type RequestContext = ParameterizedContext<RequestState, Refusing>
export type RequestMiddleware = Middleware<RequestState, Refusing>
