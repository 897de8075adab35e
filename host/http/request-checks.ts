// The checks before a body is read, in the order of the specification: method, size, origin, token. Nothing of an
// unknown caller's body is kept.
import type { Limits } from '../config/options.ts'
import { commandOf } from './asked-command.ts'
import { isForeignPage } from './browser.ts'
import { checkToken } from './check-token.ts'
import { bodyIsLonger, hasBody, headBytes } from './read-body.ts'
import type { RequestContext, RequestMiddleware, StepDeps } from './request-context.ts'
import { sendEmpty } from './response.ts'

/** Bytes of the request line and the headers. */
export const maxHeadBytes = 16 * 1024

/** Returns whether the request goes on; otherwise it has its response. */
type Check = (ctx: RequestContext) => boolean

/** `verified` is called for a known caller. They need not wait for anything: as steps of Koa they would take longer. */
export function createChecks(deps: StepDeps, verified: (ctx: RequestContext) => void): RequestMiddleware {
  const isShort = limitLength(deps.options.limits)
  const isKnown = checkToken(deps, verified)
  return (ctx, next) => {
    ctx.state.table = deps.registry.table
    const goesOn = allowMethod(ctx) && isShort(ctx) && refuseForeignPage(ctx) && redirectBrowser(ctx) && isKnown(ctx)
    return goesOn ? next() : undefined
  }
}

const allowMethod: Check = ctx => {
  // A proxy sends the target as `http://host/path`; Koa would throw for an invalid host.
  // Here and below not Koa's own properties, of which each passes two more functions: this is the way of every request.
  const { method, url = '' } = ctx.req
  if (!url.startsWith('/')) ctx.req.url = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/'
  if (method === 'GET' || method === 'POST') return true
  if ((method === 'DELETE' || method === 'HEAD') && commandOf(ctx)) return true
  ctx.refuse(405, 'neither GET nor POST')
  return false
}

/** Limits the head, and head and decoded body together; a Content-Length decides at once. */
const limitLength =
  (limits: Limits): Check =>
  ctx => {
    const bytes = headBytes(ctx.req, ctx.originalUrl)
    ctx.state.headBytes = bytes
    if (bytes > maxHeadBytes) ctx.refuse(413, `request line and headers longer than ${maxHeadBytes} bytes`)
    else if (bodyIsLonger(ctx.req, limits.request - bytes)) ctx.refuse(413, `longer than ${limits.request} bytes`)
    else return true
    return false
  }

/** Of what a page of another origin sends: the browser adds the credentials of its user. GETs change nothing. */
const refuseForeignPage: Check = ctx => {
  if (ctx.req.method === 'GET' || !isForeignPage(ctx.req.headers)) return true
  ctx.refuse(403, 'sent by a page of another origin')
  return false
}

/** Leads a browser from `/` to the start page; without one, to the page that it may log in to. */
const redirectBrowser: Check = ctx => {
  const { method, url, headers } = ctx.req
  const asksForPage = method === 'GET' && /^\/([?#]|$)/.test(url ?? '') && /text\/html/i.test(headers.accept ?? '')
  if (!asksForPage || hasBody(ctx.req)) return true
  const routes = ctx.state.table?.routes ?? []
  const find = (key: 'startPage' | 'browserLogin') => routes.find(({ commands }) => commands.GET?.command.http?.[key])
  const page = find('startPage') ?? find('browserLogin')
  if (!page) return true
  // Relative, as a proxy may serve this service below a path of its own.
  ctx.set('Location', page.path.slice(1))
  sendEmpty(ctx, 302)
  return false
}
