// Sends the responses that refuse a request: never a body, always one line in the log, or its number.
import type { IncomingMessage } from 'node:http'
import type { LimitedLog } from '../log/limited-log.ts'
import { message } from '../log/log.ts'
import { networkOf } from '../system/networks.ts'
import { callerOf } from './caller-address.ts'
import type { RequestContext } from './request-context.ts'

/** The statuses of the specification's section on errors, 403 for a page of another origin, 413 for a request over the limit. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 413 | 429 | 500

/** Lines in a second for one address and kind of refusal. */
export const refusalsPerSecond = 10

/** Characters of the headers `X-Reason` (open points, section 1) and `X-Warning`. */
const reasonCharacters = 500

/** A path may be as long as a request; log lines show the beginning. */
const pathCharacters = 200

/** Method, path and caller of a request, for log lines. Without the query, which may contain a token. */
export const requestName = (req: IncomingMessage): string => `${req.method} ${pathOf(req)} from ${callerOf(req)}`

const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/[?#].*$/s, '').slice(0, pathCharacters)

export function refuseRequest(ctx: RequestContext, status: RefusalStatus, reason: string, log: LimitedLog): void {
  sendEmpty(ctx, status)
  // An unknown caller learns nothing but the status.
  if (ctx.state.rights) ctx.set('X-Reason', toHeaderText(reason))
  log(`${networkOf(callerOf(ctx.req))} ${status} ${reason}`).warn(
    'rest',
    `${requestName(ctx.req)}: ${status}, ${reason}`,
    {
      event: 'refusal',
      route: routeOf(ctx),
      caller: callerOf(ctx.req),
      status,
      reason,
    },
  )
}

/** Printable ASCII, as a header needs it: other characters become `?`. */
export const toHeaderText = (text: string): string => text.slice(0, reasonCharacters).replaceAll(/[^ -~]/g, '?')

/** The route of the command, else method and path. */
export const routeOf = ({ state, req }: RequestContext): string => state.route ?? `${req.method} ${pathOf(req)}`

/** For a bug or a store fault: logs one line with the stack. While a store is gone all requests have the same error. */
export function failRequest(ctx: RequestContext, where: string, error: unknown, log: LimitedLog): void {
  sendEmpty(ctx, 500)
  log(`500 ${message(error)}`).error('rest', `${requestName(ctx.req)}: 500, ${where}`, error)
}

/** Koa changes the status to 204 for a null body unless the status is set after it, and sends no length for HEAD. */
export function sendEmpty(ctx: RequestContext, status: number): void {
  // An error after the command has answered.
  delete ctx.state.json
  ctx.body = null
  ctx.status = status
  ctx.length = 0
}
