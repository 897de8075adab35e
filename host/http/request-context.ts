// The type of Koa's context in this service: what the middleware leaves in `ctx.state` for the steps after it.
import type { OutgoingHttpHeaders } from 'node:http'
import type { Middleware, ParameterizedContext } from 'koa'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Rights } from '../contract/services.ts'
import type { RouteTable } from '../modules/registry.ts'

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
  /** The route of the command that answers, for the metrics. */
  route?: string
  /** The command that answers. */
  loaded?: LoadedCommand
  /** The response, until it is sent at the end of the tick. */
  json?: { head: OutgoingHttpHeaders; body: string | Buffer }
  /** Who the caller turned out to be, for the audit log. */
  who?: string
}

export type RequestContext = ParameterizedContext<RequestState>
export type RequestMiddleware = Middleware<RequestState>
