// The statuses that refuse a request, in one place: never a body, always one line in the log.
import type { Context } from 'koa'
import type { Log } from '../log.ts'

/** Statuses of the specification's section on errors, and 413 for what is over the request limit. */
export type RefusalStatus = 400 | 401 | 404 | 405 | 413 | 500

/** The name of who asked and for what, for log lines; the query stays out, it may carry a token. */
export const requestName = ({ method, path, req }: Context) => `${method} ${path} from ${req.socket.remoteAddress}`

export function refuseRequest(ctx: Context, status: RefusalStatus, reason: string, log: Log): void {
  if (status === 401) ctx.set('WWW-Authenticate', 'Basic')
  sendEmpty(ctx, status)
  log.warn('rest', `${requestName(ctx)}: ${status}, ${reason}`)
}

/** Koa turns a null body into 204 unless the status is set after it. */
export function sendEmpty(ctx: Context, status: number): void {
  ctx.body = null
  ctx.status = status
}

/** The same for requests that never become one, written to the bare connection. */
export function rawRefusal(status: RefusalStatus): string {
  const phrases = { 400: 'Bad Request', 405: 'Method Not Allowed', 413: 'Payload Too Large' }
  const phrase = status in phrases ? phrases[status === 405 || status === 413 ? status : 400] : 'Bad Request'
  return `HTTP/1.1 ${status} ${phrase}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}
