// Finds out who sends a request, and refuses unknown callers of commands that need rights.
import { timingSafeEqual } from 'node:crypto'
import { hasRights } from '../access/authenticate.ts'
import { adminRights } from '../access/rights.ts'
import type { Rights } from '../contract/services.ts'
import { type AskedCommand, commandAbove, commandAt } from './asked-command.ts'
import { isBrowser, isForeignPage } from './browser.ts'
import { callerOf } from './caller-address.ts'
import type { RequestContext, StepDeps } from './request-context.ts'

/** Bytes of the head of a request without a token, for a command that needs none: it takes little of the head. */
const maxOpenHeadBytes = 8 * 1024

const bearer = 'Bearer '

/** Returns whether the request goes on. `verified` is called for a known caller. */
export function checkToken(deps: StepDeps, verified: (ctx: RequestContext) => void): (ctx: RequestContext) => boolean {
  const { options, token, authenticate, authFailures } = deps
  const isRight = createTokenCheck(token)
  const accept = (ctx: RequestContext, rights: Rights): true => {
    ctx.state.rights = rights
    verified(ctx)
    return true
  }
  const acceptOpen = (ctx: RequestContext): boolean => {
    ctx.state.isOpen = (ctx.state.headBytes ?? 0) <= maxOpenHeadBytes
    if (!ctx.state.isOpen) ctx.refuse(413, `request line and headers longer than ${maxOpenHeadBytes} bytes`)
    return ctx.state.isOpen
  }
  return ctx => {
    // Most requests have a token in a plain form, and then nothing else of them needs to be looked at.
    const header = ctx.req.headers.authorization ?? ''
    const text = header.startsWith(bearer) ? header.slice(bearer.length) : header
    const known = isRight(header) || isRight(text) ? adminRights : authenticate.token(text)
    if (known) return accept(ctx, known)
    const command = commandAt(ctx)
    const tokens = tokensOf(ctx, command)
    const outcome = tokens.some(isRight)
      ? adminRights
      : authenticate.request({ req: ctx.req, tokens, isForeign: isForeignPage(ctx.req.headers) })
    if (hasRights(outcome)) return accept(ctx, outcome)
    const isOpen = (command ?? commandAbove(ctx))?.access === 'none'
    if (isOpen || (command?.http?.openWith === 'open_metrics' && options.rest.open_metrics)) return acceptOpen(ctx)
    if (takesBasic(ctx, command)) ctx.set('WWW-Authenticate', 'Basic')
    const { problem } = outcome
    if (problem === undefined) ctx.refuse(401, 'no token')
    else ctx.refuse(401, problem, authFailures.add(callerOf(ctx.req)))
    return false
  }
}

/** For refusals before that check: a caller with the API token gets the reason. */
export function createIdentify(token: StepDeps['token']): (ctx: RequestContext) => void {
  const isRight = createTokenCheck(token)
  return ctx => {
    const header = ctx.req.headers.authorization ?? ''
    if ([header, ...tokensOf(ctx, undefined)].some(isRight)) ctx.state.rights = adminRights
  }
}

/** Compares in constant time: only the length of the token can be measured. */
function createTokenCheck(token: StepDeps['token']): (text: string) => boolean {
  let value = token.value
  let expected = Buffer.from(value)
  return text => {
    if (value !== token.value) {
      value = token.value
      expected = Buffer.from(value)
    }
    if (text.length !== value.length) return false
    const received = Buffer.from(text)
    return received.length === expected.length && timingSafeEqual(received, expected)
  }
}

/** A browser sends a password that it knows with every request, also one that another page has caused. */
const takesBasic = (ctx: RequestContext, command: AskedCommand | undefined): boolean =>
  command?.http?.browserLogin === true || !isBrowser(ctx.req.headers)

function tokensOf(ctx: RequestContext, command: AskedCommand | undefined): string[] {
  const tokens = tokensOfHeader(ctx.req.headers.authorization ?? '', takesBasic(ctx, command))
  return command?.http?.queryToken ? [...tokens, ...new URLSearchParams(ctx.querystring).getAll('token')] : tokens
}

/**
 * The token of `Bearer <token>`, or the password of `Basic <base64 of user:password>` where that form is taken; another
 * text is a token itself.
 */
function tokensOfHeader(header: string, takesBasic: boolean): string[] {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header) ?? []
  if (scheme === '') return header === '' ? [] : [header]
  if (scheme.toLowerCase() === 'bearer') return [value]
  if (!takesBasic) return []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return [password]
}
