// Handles a request whose path belongs to a command: method, payload, query, the command itself, the response.
import { checkCommand, checkRequest, noRights } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { Refusal, Request } from '../contract/services.ts'
import { isText } from '../contract/text-response.ts'
import type { CommandsByMethod } from '../modules/route-table.ts'
import { networkOf } from '../system/networks.ts'
import { noteProgress } from '../system/process/progress.ts'
import { withTimeout } from '../system/timeout.ts'
import { ofMethod } from './asked-command.ts'
import { findClients, namesTargets } from './find-clients.ts'
import { HeavyRequests, retryAfter } from './heavy-requests.ts'
import { LazyRequest } from './lazy-request.ts'
import { payloadOf } from './query-payload.ts'
import { isWrite, logWrite } from './record-write.ts'
import type { RequestContext, StepDeps } from './request-context.ts'
import { RequestRotation } from './request-rotation.ts'
import { sendJson, sendText } from './response.ts'
import type { HandleRequest } from './router.ts'

/** The last steps of the specification's processing order: 405 for the method, 400 for the payload, the response. */
export function createHandleCommand(deps: StepDeps): HandleRequest {
  const { log } = deps
  const rotation = new RequestRotation()
  const heavyRequests = new HeavyRequests()

  /** One heavy request after the others of its caller, or a refusal. */
  async function respondInTurn(ctx: RequestContext, request: Request, answer: () => Promise<void>): Promise<void> {
    const caller = callerOf(request)
    const refusal = await heavyRequests.enter(caller, request.signal)
    if (!refusal) return answer().finally(() => heavyRequests.leave(caller))
    ctx.set('Retry-After', String(retryAfter))
    ctx.refuse(refusal.status, refusal.refused)
  }

  return async (ctx, commands: CommandsByMethod) => {
    const loaded = ofMethod(commands, ctx.req.method)
    if (!loaded) return ctx.refuse(405, 'the route does not allow the method')
    ctx.state.loaded = loaded
    const { rights = noRights, isOpen } = ctx.state
    const forbidden = isOpen ? undefined : checkCommand(rights, loaded)
    if (forbidden) return ctx.refuse(forbidden.status, forbidden.refused)
    const request = new LazyRequest(ctx, loaded, log)
    const turn = rotation.enter(callerOf(request))
    if (turn) await turn
    readQueryPayload(ctx, loaded, request)
    try {
      const wrong = checkBody(ctx, loaded)
      if (wrong !== undefined) return ctx.refuse(400, wrong)
      if (rights.isLimited && !isOpen) await deps.refreshScopes()
      const unfound = await replaceTargets(ctx, loaded, request, deps)
      if (unfound) return ctx.refuse(unfound.status, unfound.refused)
      const payload = loaded.command.payload && (ctx.state.body ?? { value: {} }).value
      const reason = loaded.checkPayload?.(payload) ?? checkQuery(loaded, request)
      if (reason !== undefined) return ctx.refuse(400, reason)
      if (rights.isLimited && !isOpen) {
        const outside = checkRequest(rights, loaded, payload)
        if (outside) return ctx.refuse(outside.status, outside.refused)
      }
      const answer = () => respond(ctx, loaded, payload, request, deps)
      await (loaded.command.heavy ? respondInTurn(ctx, request, answer) : answer())
      if (ctx.res.statusCode === 200 && isWrite(loaded, ctx)) logWrite(ctx, request, log)
    } catch (error) {
      ctx.fail(loaded.file, error)
    }
  }
}

/** Who is served in turn, and limited: an account, or an address for requests without one. */
const callerOf = ({ rights, caller }: Request): string => rights.reference || networkOf(caller)

/** A GET without a body may have its payload in the query (open points, section 1). */
function readQueryPayload(ctx: RequestContext, { command }: LoadedCommand, request: Request): void {
  if (ctx.req.method !== 'GET' || !command.payload || ctx.state.body) return
  const value = payloadOf(command, request.query)
  if (value) ctx.state.body = { value }
}

/** The log and the audit log, too, say which clients a query has found. */
async function replaceTargets(
  ctx: RequestContext,
  loaded: LoadedCommand,
  request: LazyRequest,
  { findTargets }: StepDeps,
): Promise<Refusal | undefined> {
  const { body } = ctx.state
  if (!body || !namesTargets(loaded, body.value)) return undefined
  const found = await findClients(body.value, request.rights, findTargets)
  if (isRefusal(found)) return found
  ctx.state.body = { value: found.payload }
  request.where = found.where
  return undefined
}

/** Returns why the body is missing, not allowed or nested too deeply. */
function checkBody(ctx: RequestContext, { command: { payload, body } }: LoadedCommand): string | undefined {
  if (payload && body !== 'optional' && !ctx.state.body) return 'payload: expected a JSON object, got no body'
  if (body === 'none' && ctx.state.body) return 'body: expected none, got one'
  if (isDeeperThan(maxLevels, ctx.state.body?.value)) return `payload: expected at most ${maxLevels} levels, got more`
  return undefined
}

/** Returns why the query does not match the command's schema: `?id: expected digits, got "x"`. */
function checkQuery({ checkQuery: check }: LoadedCommand, request: Request): string | undefined {
  const mismatch = check?.(request.query)
  return mismatch === undefined ? undefined : `?${mismatch}`
}

async function respond(
  ctx: RequestContext,
  loaded: LoadedCommand,
  payload: unknown,
  request: Request,
  { options, execute, authFailures }: StepDeps,
): Promise<void> {
  const { limits } = options
  const seconds = limits.answer_seconds
  const inTime = <Result>(result: Promise<Result>) =>
    withTimeout(result, seconds * 1000, `no answer after ${seconds} s`)
  noteProgress()
  const answer = await inTime(execute(loaded, payload, request))
  noteProgress()
  if (isText(answer)) {
    if (answer.status === 401 && ctx.state.isOpen) authFailures.add(request.caller)
    return inTime(sendText(ctx, answer))
  }
  if (!isRefusal(answer)) return sendJson(ctx, answer, limits)
  const { status, refused, cause } = answer
  ctx.state.cause = cause
  // Refused logins are counted, and logged as wrong tokens are.
  const isLogin = loaded.access === 'none' && (status === 401 || status === 429)
  ctx.refuse(status, refused, isLogin ? authFailures.add(request.caller) : undefined)
}

/** Levels; payloads of commands have fewer than ten. */
const maxLevels = 100

/**
 * Whether objects and lists are nested more than `levels` deep: what works through them calls itself for each level. Looks
 * at each value once.
 */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return values.some(each => isDeeperThan(levels - 1, each))
}
