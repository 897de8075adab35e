// The type of Koa's context in this service: what the middleware leaves in `ctx.state` for the steps after it.
import type { Middleware, ParameterizedContext } from 'koa'
import type { RouteTable } from '../modules/registry.ts'

export interface RequestState {
  /** The routes that this request keeps, even when a command file changes before it ends. */
  table?: RouteTable
  /** Bytes that the body may have. */
  bodyLimit?: number
  /** The request has the right token. */
  isVerified?: true
  /** The bytes of the body. */
  raw?: Buffer
  /** The value of a body that is not empty. */
  body?: { value: unknown }
  /** The route of the command that answers, for the metrics. */
  route?: string
}

export type RequestContext = ParameterizedContext<RequestState>
export type RequestMiddleware = Middleware<RequestState>
