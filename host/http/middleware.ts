// The checks before routing, in the order of the specification: method, size, token, JSON. A body is read after the
// token was checked, so that nothing of an unknown caller's body is kept.
import type { AuthFailures } from '../access/auth-failures.ts'
import { type Authenticate, hasRights } from '../access/authenticate.ts'
import { adminRights } from '../access/rights.ts'
import type { Limits } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Rights } from '../contract/services.ts'
import type { LimitedLog } from '../log/limited-log.ts'
import type { Registry } from '../modules/registry.ts'
import { isBrowser, isForeignPage } from './browser.ts'
import { callerOf } from './caller-address.ts'
import { bodyIsLonger, expectsContinue, hasBody, headBytes, readBody } from './read-body.ts'
import { type RefusalStatus, refuseRequest, sendEmpty } from './refuse-request.ts'
import { refuseUnread } from './refuse-unread.ts'
import type { RequestContext, RequestMiddleware } from './request-context.ts'
import { createTokenCheck, type ExpectedToken, plainToken, tokensOfHeader, tokensOfQuery } from './token-header.ts'

/** Bytes of the request line and the headers. */
export const maxHeadBytes = 16 * 1024

/** The same for a command that needs no token, when the request has none: it takes little of the head. */
const maxOpenHeadBytes = 8 * 1024

export interface MiddlewareDeps {
  /** For refusals. */
  limitedLog: LimitedLog
  limits: Limits
  token: ExpectedToken
  authenticate: Authenticate
  authFailures: AuthFailures
  registry: Registry
  /** Option `rest.open_metrics`. */
  openMetrics: boolean
}

/** Returns whether the request goes on; otherwise it has its response. */
export type Check = (ctx: RequestContext) => boolean

/** The checks that need not wait for anything, as one step: Koa needs more time for a step than a check does. */
export function runChecks(checks: readonly Check[]): RequestMiddleware {
  return (ctx, next) => {
    for (const check of checks) {
      if (!check(ctx)) return undefined
    }
    return next()
  }
}

/** Refuses other methods than GET and POST, and sets the table that the request keeps. */
export function allowMethods(deps: MiddlewareDeps): Check {
  const { registry } = deps
  const refuse = refuseBeforeToken(deps)
  return ctx => {
    // A proxy sends the target as `http://host/path`; Koa would throw for an invalid host.
    // Here and below not Koa's own properties, of which each passes two more functions: this is the way of every request.
    const { method, url = '' } = ctx.req
    if (!url.startsWith('/')) ctx.req.url = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/'
    if (method !== 'GET' && method !== 'POST') return refuse(ctx, 405, 'neither GET nor POST')
    ctx.state.table = registry.table
    return true
  }
}

/** Limits the head, and head and decoded body together; a Content-Length decides at once. */
export function limitLength(deps: MiddlewareDeps): Check {
  const { limits } = deps
  const refuse = refuseBeforeToken(deps)
  return ctx => {
    const bytes = headBytes(ctx.req, ctx.originalUrl)
    ctx.state.headBytes = bytes
    if (bytes > maxHeadBytes) return refuse(ctx, 413, headTooLong(maxHeadBytes))
    const isTooLong = bodyIsLonger(ctx.req, limits.request - bytes)
    return isTooLong ? refuse(ctx, 413, tooLong(limits)) : true
  }
}

/** Refuses what a page of another origin sends: the browser adds the credentials of its user. GETs change nothing. */
export function refuseForeignPages(deps: MiddlewareDeps): Check {
  const refuse = refuseBeforeToken(deps)
  return ctx => {
    if (ctx.req.method === 'GET' || !isForeignPage(ctx.req.headers)) return true
    return refuse(ctx, 403, 'sent by a page of another origin')
  }
}

type Refuse = (ctx: RequestContext, status: RefusalStatus, reason: string) => false

/** For the steps before the token: it only decides whether the caller gets the reason. */
function refuseBeforeToken({ token, limitedLog }: MiddlewareDeps): Refuse {
  const isRight = createTokenCheck(token)
  return (ctx, status, reason) => {
    const header = ctx.req.headers.authorization ?? ''
    if ([header, ...tokensOf(ctx, undefined)].some(isRight)) ctx.state.rights = adminRights
    refuseUnread(ctx, status, reason, limitedLog)
    return false
  }
}

/** Leads a browser from `/` to the start page; without one, to the page that it may log in to. */
export function redirectBrowsers(): Check {
  return ctx => {
    const { method, url, headers } = ctx.req
    const asksForPage = method === 'GET' && /^\/([?#]|$)/.test(url ?? '') && /text\/html/i.test(headers.accept ?? '')
    if (!asksForPage || hasBody(ctx.req)) return true
    const routes = ctx.state.table?.routes ?? []
    const find = (key: 'startPage' | 'browserLogin') => routes.find(({ commands }) => commands.GET?.command[key])
    const page = find('startPage') ?? find('browserLogin')
    if (!page) return true
    // Relative, as a proxy may serve this service below a path of its own.
    ctx.set('Location', page.path.slice(1))
    sendEmpty(ctx, 302)
    return false
  }
}

/** Refuses a request of an unknown caller, unless its command needs none. `verified` is called for a known one. */
export function checkToken(deps: MiddlewareDeps, verified: (ctx: RequestContext) => void): Check {
  const { limitedLog, token, authenticate, authFailures, openMetrics } = deps
  const isRight = createTokenCheck(token)
  const accept = (ctx: RequestContext, rights: Rights): true => {
    ctx.state.rights = rights
    verified(ctx)
    return true
  }
  const acceptOpen = (ctx: RequestContext): boolean => {
    ctx.state.isOpen = (ctx.state.headBytes ?? 0) <= maxOpenHeadBytes
    if (!ctx.state.isOpen) refuseUnread(ctx, 413, headTooLong(maxOpenHeadBytes), limitedLog)
    return ctx.state.isOpen
  }
  return ctx => {
    // Most requests have a token in a plain form, and then nothing else of them needs to be looked at.
    const header = ctx.req.headers.authorization ?? ''
    const text = plainToken(header)
    const known = isRight(header) || isRight(text) ? adminRights : authenticate.token(text)
    if (known) return accept(ctx, known)
    const command = commandAt(ctx)
    const tokens = tokensOf(ctx, command)
    const outcome = tokens.some(isRight)
      ? adminRights
      : authenticate.request({ req: ctx.req, tokens, isForeign: isForeignPage(ctx.req.headers) })
    if (hasRights(outcome)) return accept(ctx, outcome)
    const isOpen =
      (command ?? commandAbove(ctx))?.access === 'none' || (command?.openOption === 'open_metrics' && openMetrics)
    if (isOpen) return acceptOpen(ctx)
    if (takesBasic(ctx, command)) ctx.set('WWW-Authenticate', 'Basic')
    const { problem } = outcome
    const log = problem === undefined ? limitedLog : authFailures.add(callerOf(ctx.req))
    refuseUnread(ctx, 401, problem ?? 'no token', log)
    return false
  }
}

type AnyCommand = LoadedCommand['command']

/** The command of exactly this path. */
function commandAt({ state, path, method }: RequestContext): AnyCommand | undefined {
  const commands = state.table?.at(path)
  return (method === 'GET' ? commands?.GET : commands?.POST)?.command
}

/** The command that serves the paths below its own, of which this is one. */
function commandAbove({ state, path, method }: RequestContext): AnyCommand | undefined {
  if (method !== 'GET') return undefined
  const route = state.table?.routes.find(each => path.startsWith(`${each.path}/`))
  const command = route?.commands.GET?.command
  return command?.rest ? command : undefined
}

/** A browser sends a password that it knows with every request, also one that another page has caused. */
const takesBasic = (ctx: RequestContext, command: AnyCommand | undefined): boolean =>
  command?.browserLogin === true || !isBrowser(ctx.req.headers)

function tokensOf(ctx: RequestContext, command: AnyCommand | undefined): string[] {
  const tokens = tokensOfHeader(ctx.req.headers.authorization ?? '', takesBasic(ctx, command))
  return command?.queryToken ? [...tokens, ...tokensOfQuery(ctx.querystring)] : tokens
}

/** Reads the body; one without a declared length is limited while it is read. */
export function receiveBody({ limitedLog, limits }: MiddlewareDeps): RequestMiddleware {
  const receive: RequestMiddleware = async (ctx, next) => {
    const raw = await readBody(ctx.req, limits.request - (ctx.state.headBytes ?? 0))
    if (raw === 'too long') return refuseUnread(ctx, 413, tooLong(limits), limitedLog)
    if (raw === 'aborted') {
      ctx.respond = false
      return
    }
    ctx.state.raw = raw
    return next()
  }
  return (ctx, next) => {
    // A server with a listener for `checkContinue` must send the 100 itself.
    if (expectsContinue(ctx.req)) ctx.res.writeContinue()
    // Most requests have none, and then nothing needs to be awaited.
    return hasBody(ctx.req) ? receive(ctx, next) : next()
  }
}

const tooLong = (limits: Limits) => `longer than ${limits.request} bytes`
const headTooLong = (bytes: number) => `request line and headers longer than ${bytes} bytes`

/** A body that is not empty must be JSON, on every path. */
export function parseJson({ limitedLog }: MiddlewareDeps): RequestMiddleware {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (ctx, next) => {
    const { raw } = ctx.state
    if (raw && raw.length > 0) {
      try {
        ctx.state.body = { value: JSON.parse(decoder.decode(raw)) }
      } catch {
        return refuseRequest(ctx, 404, 'the body is not JSON', limitedLog)
      }
    }
    return next()
  }
}
