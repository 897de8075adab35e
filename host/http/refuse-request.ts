// The statuses that refuse a request, in one place: never a body, always one line in the log.
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Log } from '../system/log.ts'

/** Statuses of the specification's section on errors, and 413 for what is over the request limit. */
export type RefusalStatus = 400 | 401 | 404 | 405 | 413 | 500

/** A path may be as long as a request; what a log line shows of it. */
const pathCharacters = 200

/** The name of who asked and for what, for log lines; the query stays out, it may carry a token. */
export const requestName = ({ method = '', url = '', socket }: IncomingMessage) =>
  `${method} ${url.replace(/[?#].*$/s, '').slice(0, pathCharacters)} from ${socket.remoteAddress}`

export function refuseRequest(ctx: Context, status: RefusalStatus, reason: string, log: Log): void {
  if (status === 401) ctx.set('WWW-Authenticate', 'Basic')
  sendEmpty(ctx, status)
  log.warn('rest', `${requestName(ctx.req)}: ${status}, ${reason}`)
}

/** A bug or a store fault: one line with its stack. */
export function failRequest(ctx: Context, what: string, error: unknown, log: Log): void {
  sendEmpty(ctx, 500)
  log.error('rest', `${requestName(ctx.req)}: 500, ${what}`, error)
}

/** Koa turns a null body into 204 unless the status is set after it, and gives HEAD no length. */
export function sendEmpty(ctx: Context, status: number): void {
  ctx.body = null
  ctx.status = status
  ctx.length = 0
}
