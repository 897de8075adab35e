// Refuses a request whose body is not read: a short body is ignored, with a long one the connection closes.
import type { LimitedLog } from '../log/limited-log.ts'
import { bodyIsLonger, expectsContinue, hasBody } from './read-body.ts'
import { type RefusalStatus, refuseRequest } from './refuse-request.ts'
import type { RequestContext } from './request-context.ts'

/** Bytes of a body that are read and ignored, so that the caller can use its connection further. */
const maxIgnoredBytes = 16 * 1024

/** Milliseconds to read on after a refusal: unread bytes would reset the connection, and the response would be lost. */
const lingerMilliseconds = 1000

export function refuseUnread(ctx: RequestContext, status: RefusalStatus, reason: string, log: LimitedLog): void {
  const { req } = ctx
  refuseRequest(ctx, status, reason, log)
  if (status === 413) return closeAfterResponse(ctx)
  if (!hasBody(req) || req.complete) return
  // A caller that waits for 100 Continue may send its next request instead of the body.
  if (bodyIsLonger(req, maxIgnoredBytes) || expectsContinue(req)) closeAfterResponse(ctx)
  else ignoreShortBody(ctx)
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

/** A body without a declared length can be longer than expected. */
function ignoreShortBody({ req }: RequestContext): void {
  let size = 0
  req.on('data', (chunk: Buffer) => {
    const wasShort = size <= maxIgnoredBytes
    size += chunk.length
    if (wasShort && size > maxIgnoredBytes) setTimeout(() => req.socket.destroy(), lingerMilliseconds).unref()
  })
}
