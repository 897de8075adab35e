// Handles a request whose path belongs to a command: method, payload, query, the command itself, the response.
import type { ServerResponse } from 'node:http'
import type { AuthFailures } from '../access/auth-failures.ts'
import { checkCommand, checkRequest, noRights } from '../access/rights.ts'
import type { Execute } from '../jobs/execute.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import type { CommandsByMethod } from '../modules/registry.ts'
import { isRefusal } from '../refusal.ts'
import type { Limits, Refusal, Request } from '../services.ts'
import type { LimitedLog } from '../system/limited-log.ts'
import type { Log } from '../system/log.ts'
import { withTimeout } from '../system/timeout.ts'
import { isText } from '../text-response.ts'
import { isDeeperThan, maxLevels } from './json-depth.ts'
import { payloadOf } from './query-payload.ts'
import { failRequest, refuseRequest, requestName, toHeaderText } from './refuse-request.ts'
import type { RequestContext } from './request-context.ts'
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
    readQueryPayload(ctx, loaded, request)
    try {
      if (rights.isLimited && !ctx.state.isOpen) {
        await deps.refreshLimits()
        const outside = checkRequest(rights, loaded, ctx.state.body?.value)
        if (outside) return refuseRequest(ctx, outside.status, outside.refused, limitedLog)
      }
      const reason = checkBody(ctx, loaded) ?? checkQuery(loaded, request)
      if (reason !== undefined) return refuseRequest(ctx, 400, reason, limitedLog)
      await respond(ctx, loaded, request, deps)
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
  const answer = await inTime(execute(loaded, payload, request), limits)
  if (isRefusal(answer)) refuseRequest(ctx, answer.status, answer.refused, logOf(answer, request, deps))
  else if (isText(answer)) await inTime(sendText(ctx, answer), limits)
  else sendJson(ctx, answer, limits, limitedLog)
}

/** Refused logins are counted, and logged as wrong tokens are. */
const logOf = (
  { status }: Refusal,
  { caller }: Request,
  { limitedLog, authFailures }: HandleCommandDeps,
): LimitedLog => (status === 401 || status === 429 ? authFailures.add(caller) : limitedLog)

function inTime<Result>(result: Promise<Result>, { answer_seconds: seconds }: Limits): Promise<Result> {
  return withTimeout(result, seconds * 1000, `no answer after ${seconds} s`)
}

/** The request as commands see it. Its values are computed on first use, as most commands use few of them. */
class LazyRequest implements Request {
  /** What `job` and `created` were called with. */
  jobId: number | undefined
  createdId: number | undefined
  /** What `warn` was called with. */
  warning: string | undefined
  readonly #ctx: RequestContext
  readonly #loaded: LoadedCommand
  readonly #log: Log
  #query: Record<string, string> | undefined
  #closed: AbortController | undefined

  constructor(ctx: RequestContext, loaded: LoadedCommand, log: Log) {
    this.#ctx = ctx
    this.#loaded = loaded
    this.#log = log
  }

  get rest() {
    return this.#ctx.path.slice(this.#loaded.path.length).split('/').filter(Boolean)
  }

  get query() {
    this.#query ??= parseQuery(this.#ctx.querystring)
    return this.#query
  }

  get signal() {
    this.#closed ??= abortOnClose(this.#ctx.res)
    return this.#closed.signal
  }

  // Getters that return functions: commands may destructure them.

  get header() {
    return (name: string) => this.#ctx.get(name)
  }

  get job() {
    return (id: number) => {
      this.jobId = id
      this.#ctx.set('X-Job-Id', String(id))
    }
  }

  get created() {
    return (id: number) => {
      this.createdId = id
      this.#ctx.set('X-Id', String(id))
    }
  }

  get warn() {
    return (text: string) => {
      this.warning = text
      this.#ctx.set('X-Warning', toHeaderText(text))
    }
  }

  get caller() {
    return this.#ctx.req.socket.remoteAddress ?? ''
  }

  get identify() {
    return (name: string) => {
      this.#ctx.state.who = name
    }
  }

  get rights() {
    return this.#ctx.state.rights ?? noRights
  }

  get isSecure() {
    return 'encrypted' in this.#ctx.req.socket
  }

  get server() {
    const { localAddress = '', localPort = 0 } = this.#ctx.req.socket
    return { address: localAddress, port: localPort }
  }

  get disconnect() {
    return (reason: string) => {
      this.#log.warn('rest', `${requestName(this.#ctx.req)}: closed: ${reason}`)
      this.#ctx.res.destroy()
    }
  }
}

/** The values of a repeated key are joined with commas. */
function parseQuery(querystring: string): Record<string, string> {
  const values = new Map<string, string>()
  if (querystring === '') return {}
  for (const [key, value] of new URLSearchParams(querystring)) {
    const previous = values.get(key)
    values.set(key, previous === undefined ? value : `${previous},${value}`)
  }
  return Object.fromEntries(values)
}

function abortOnClose(res: ServerResponse): AbortController {
  const controller = new AbortController()
  if (res.closed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller
}
