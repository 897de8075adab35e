// Refuses requests: never with a body, always with one line in the log, or its number.
import type { IncomingMessage } from 'node:http'
import type { Cause } from '../contract/services.ts'
import { message } from '../log/log.ts'
import type { ThrottledLog } from '../log/throttled-log.ts'
import { networkOf } from '../system/networks.ts'
import { callerOf } from './caller-address.ts'
import { bodyIsLonger, expectsContinue, hasBody } from './read-body.ts'
import type { Refusing, RequestContext } from './request-context.ts'
import { sendEmpty } from './response.ts'

/** Lines in a second for one address and kind of refusal. */
export const refusalsPerSecond = 10

/** Characters of the headers `X-Reason` (open points, section 1) and `X-Warning`. */
const reasonCharacters = 500

/** A path may be as long as a request; log lines show the beginning. */
const pathCharacters = 200

/** Bytes of a body that are read and ignored, so that the caller can use its connection further. */
const maxIgnoredBytes = 16 * 1024

/** Milliseconds to read on after a refusal: unread bytes would reset the connection, and the response would be lost. */
const lingerMilliseconds = 1000

/** Method, path and caller of a request, for log lines. Without the query, which may contain a token. */
export const requestName = (req: IncomingMessage): string => `${req.method} ${pathOf(req)} from ${callerOf(req)}`

const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/[?#].*$/s, '').slice(0, pathCharacters)

/** The route of the command, else method and path. */
export const routeOf = ({ state, req }: RequestContext): string =>
  state.loaded?.command.route ?? `${req.method} ${pathOf(req)}`

/** Printable ASCII, as a header needs it: other characters become `?`. */
export const toHeaderText = (text: string): string => text.slice(0, reasonCharacters).replaceAll(/[^ -~]/g, '?')

/** `code=undo-name-taken&name=Studio`. */
function codeText({ code, ...values }: Cause): string {
  const query = new URLSearchParams({ code })
  for (const [key, value] of Object.entries(values)) query.set(key, String(value).slice(0, valueCharacters))
  return query.toString()
}

const valueCharacters = 200

/** The methods of Koa's context; `identify` sets the rights of a caller that is refused before its token is read. */
export function createRefusing(
  commonLog: ThrottledLog,
  identify: (ctx: RequestContext) => void,
): Refusing & ThisType<RequestContext> {
  return {
    refuse(status, reason, throttledLog = commonLog) {
      const { req, state } = this
      const caller = callerOf(req)
      if (!state.rights) identify(this)
      sendEmpty(this, status)
      state.reason = reason
      // An unknown caller learns nothing but the status; a login can have found out who it is.
      if (state.rights || state.who !== undefined) {
        this.set('X-Reason', toHeaderText(reason))
        if (state.cause) this.set('X-Reason-Code', codeText(state.cause))
      }
      const fields = { event: 'refusal', route: routeOf(this), caller, status, reason }
      const line = `${requestName(req)}: ${status}, ${reason}`
      throttledLog(`${networkOf(caller)} ${status} ${reason}`).warn('rest', line, fields)
      if (status === 413) closeAfterResponse(this)
      else if (hasBody(req) && !req.complete) endUnread(this)
    },
    fail(where, error) {
      sendEmpty(this, 500)
      this.state.reason = faultOf(error)
      if (this.state.rights) this.set('X-Reason', toHeaderText(this.state.reason))
      // While a store is gone all requests have the same error.
      commonLog(`500 ${message(error)}`).error('rest', `${requestName(this.req)}: 500, ${where}`, error)
    },
  }
}

/** What a caller gets as the reason: the reason of a system or a store, such as a full disk, but nothing of a bug. */
function faultOf(error: unknown): string {
  // Without a stack: a database that is away.
  const isKnown =
    error instanceof Error && ('code' in error || error.stack === undefined || error.message.startsWith('store: '))
  return isKnown ? message(error) : 'an error of the daemon, which its log describes'
}

/** A short body is ignored, with a long one the connection closes. */
function endUnread(ctx: RequestContext): void {
  const { req } = ctx
  // A caller that waits for 100 Continue may send its next request instead of the body.
  if (bodyIsLonger(req, maxIgnoredBytes) || expectsContinue(req)) return closeAfterResponse(ctx)
  let size = 0
  // A body without a declared length can be longer than expected.
  req.on('data', (chunk: Buffer) => {
    const wasShort = size <= maxIgnoredBytes
    size += chunk.length
    if (wasShort && size > maxIgnoredBytes) setTimeout(() => req.socket.destroy(), lingerMilliseconds).unref()
  })
}

/** Sends the response at once, and closes when the body has ended, at the latest after the linger time. */
function closeAfterResponse(ctx: RequestContext): void {
  const { req, res } = ctx
  ctx.respond = false
  res.writeHead(ctx.status, { Connection: 'close' })
  res.flushHeaders()
  const finish = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(finish, lingerMilliseconds).unref()
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
}
