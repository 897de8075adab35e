// Handles a request whose path belongs to a command: method, payload, query, the command itself, the response.
import type { AuthFailures } from '../access/auth-failures.ts'
import { checkCommand, checkRequest, noRights } from '../access/rights.ts'
import type { Limits } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { Refusal, Request } from '../contract/services.ts'
import { isText } from '../contract/text-response.ts'
import type { Execute } from '../jobs/execute.ts'
import type { LimitedLog } from '../log/limited-log.ts'
import type { Log } from '../log/log.ts'
import type { CommandsByMethod } from '../modules/registry.ts'
import { networkOf } from '../system/networks.ts'
import { noteProgress } from '../system/process/progress.ts'
import { withTimeout } from '../system/timeout.ts'
import { type HeavyRequests, retryAfter } from './heavy-requests.ts'
import { LazyRequest } from './lazy-request.ts'
import { payloadOf } from './query-payload.ts'
import { failRequest, refuseRequest } from './refuse-request.ts'
import type { RequestContext } from './request-context.ts'
import type { RequestRotation } from './request-rotation.ts'
import { sendJson, sendText } from './response.ts'
import type { HandleRequest } from './router.ts'
import { isWrite, logWrite } from './write-log.ts'

export interface HandleCommandDeps {
  log: Log
  /** For refusals. */
  limitedLog: LimitedLog
  authFailures: AuthFailures
  limits: Limits
  execute: Execute
  rotation: RequestRotation
  heavyRequests: HeavyRequests
  /** To be awaited before limited rights are asked. */
  refreshLimits(): Promise<void>
}

/** The last steps of the specification's processing order: 405 for the method, 400 for the payload, the response. */
export function createHandleCommand(deps: HandleCommandDeps): HandleRequest {
  const { log, limitedLog } = deps
  return async (ctx, commands: CommandsByMethod) => {
    const loaded = ctx.req.method === 'GET' ? commands.GET : commands.POST
    if (!loaded) return refuseRequest(ctx, 405, 'the route does not allow the method', limitedLog)
    ctx.state.route = loaded.command.route
    ctx.state.loaded = loaded
    const { rights = noRights } = ctx.state
    const forbidden = ctx.state.isOpen ? undefined : checkCommand(rights, loaded)
    if (forbidden) return refuseRequest(ctx, forbidden.status, forbidden.refused, limitedLog)
    const request = new LazyRequest(ctx, loaded, log)
    const turn = deps.rotation.enter(callerOf(request))
    if (turn) await turn
    readQueryPayload(ctx, loaded, request)
    try {
      if (rights.isLimited && !ctx.state.isOpen) {
        await deps.refreshLimits()
        const outside = checkRequest(rights, loaded, ctx.state.body?.value)
        if (outside) return refuseRequest(ctx, outside.status, outside.refused, limitedLog)
      }
      const reason = checkBody(ctx, loaded) ?? checkQuery(loaded, request)
      if (reason !== undefined) return refuseRequest(ctx, 400, reason, limitedLog)
      await (loaded.command.heavy ? respondInTurn : respond)(ctx, loaded, request, deps)
      if (ctx.res.statusCode === 200 && isWrite(loaded, ctx.state.body?.value)) logWrite(ctx, request, log)
    } catch (error) {
      failRequest(ctx, loaded.file, error, limitedLog)
    }
  }
}

/** A GET without a body may have its payload in the query (open points, section 1). */
function readQueryPayload(ctx: RequestContext, { command }: LoadedCommand, request: Request): void {
  if (ctx.req.method !== 'GET' || !command.payload || ctx.state.body) return
  const value = payloadOf(command, request.query)
  if (value) ctx.state.body = { value }
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
  request: Request,
  deps: HandleCommandDeps,
): Promise<void> {
  const { limitedLog, limits, execute } = deps
  const payload = loaded.command.payload ? (ctx.state.body ?? { value: {} }).value : undefined
  noteProgress()
  const answer = await inTime(execute(loaded, payload, request), limits)
  noteProgress()
  if (isRefusal(answer)) refuseRequest(ctx, answer.status, answer.refused, logOf(answer, loaded, request, deps))
  else if (isText(answer)) await inTime(sendText(ctx, answer), limits)
  else sendJson(ctx, answer, limits, limitedLog)
}

/** Who is served in turn, and limited: an account, or an address for requests without one. */
const callerOf = ({ rights, caller }: Request): string => rights.reference || networkOf(caller)

/** One heavy request after the others of its caller, or a refusal. */
async function respondInTurn(...args: Parameters<typeof respond>): Promise<void> {
  const [ctx, , request, { heavyRequests, limitedLog }] = args
  const caller = callerOf(request)
  const refusal = await heavyRequests.enter(caller, request.signal)
  if (refusal) {
    ctx.set('Retry-After', String(retryAfter))
    return refuseRequest(ctx, refusal.status, refusal.refused, limitedLog)
  }
  await respond(...args).finally(() => heavyRequests.leave(caller))
}

/** Refused logins are counted, and logged as wrong tokens are. */
const logOf = (
  { status }: Refusal,
  { access }: LoadedCommand,
  { caller }: Request,
  { limitedLog, authFailures }: HandleCommandDeps,
): LimitedLog => (access === 'none' && (status === 401 || status === 429) ? authFailures.add(caller) : limitedLog)

function inTime<Result>(result: Promise<Result>, { answer_seconds: seconds }: Limits): Promise<Result> {
  return withTimeout(result, seconds * 1000, `no answer after ${seconds} s`)
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
