// A request whose path belongs to commands: method, payload, the command itself, its answer.
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Execute } from '../jobs/execute.ts'
import type { Loaded, Methods } from '../modules/registry.ts'
import { isRefusal } from '../refusal.ts'
import type { Limits, Request } from '../services.ts'
import type { Log } from '../system/log.ts'
import { withTimeout } from '../system/timeout.ts'
import { failRequest, refuseRequest, requestName } from './refuse-request.ts'
import { isText, sendAnswer, sendText } from './response.ts'

export interface HandleCommandDeps {
  log: Log
  limits: Limits
  perform: Execute
}

/** The specification's last steps: a method that the route does not allow, a missing payload, the answer. */
export async function handleCommand(
  ctx: Context,
  methods: Methods,
  { log, limits, perform }: HandleCommandDeps,
): Promise<void> {
  const loaded = ctx.method === 'GET' ? methods.GET : methods.POST
  if (!loaded) return refuseRequest(ctx, 405, 'the route does not allow the method', log)
  const { payload, body, route } = loaded.command
  ctx.state.route = route
  const sent: { value: unknown } | undefined = ctx.state.body
  if (payload && body !== 'optional' && !sent) return refuseRequest(ctx, 400, 'the payload is missing', log)
  if (body === 'none' && sent) return refuseRequest(ctx, 400, 'a body is not allowed here', log)
  try {
    const value = payload ? (sent ? sent.value : {}) : undefined
    const answer = await inTime(perform(loaded, value, new LazyRequest(ctx, loaded, log)), limits)
    if (isRefusal(answer)) refuseRequest(ctx, 400, answer.refused, log)
    else if (answer && isText(answer)) await inTime(sendText(ctx, answer), limits)
    else sendAnswer(ctx, answer, limits, log)
  } catch (error) {
    failRequest(ctx, loaded.file, error, log)
  }
}

function inTime<Result>(result: Promise<Result>, { answer_seconds: seconds }: Limits): Promise<Result> {
  return withTimeout(seconds * 1000, `no answer within ${seconds} s`, result)
}

/** What a command may know of a request beside its payload, and do to it; made when it is asked for, as few do. */
class LazyRequest implements Request {
  readonly #ctx: Context
  readonly #loaded: Loaded
  readonly #log: Log
  #query: URLSearchParams | undefined
  #gone: AbortController | undefined

  constructor(ctx: Context, loaded: Loaded, log: Log) {
    this.#ctx = ctx
    this.#loaded = loaded
    this.#log = log
  }

  get rest() {
    return this.#ctx.path.slice(this.#loaded.path.length).split('/').filter(Boolean)
  }

  get query() {
    this.#query ??= new URLSearchParams(this.#ctx.querystring)
    return this.#query
  }

  get signal() {
    this.#gone ??= abortedWith(this.#ctx.res)
    return this.#gone.signal
  }

  // Functions that keep their request, however a command takes them.

  get header() {
    return (name: string) => this.#ctx.get(name)
  }

  get job() {
    return (id: number) => this.#ctx.set('X-Job-Id', String(id))
  }

  get disconnect() {
    return (reason: string) => {
      this.#log.warn('rest', `${requestName(this.#ctx.req)}: cut off, ${reason}`)
      this.#ctx.res.destroy()
    }
  }
}

function abortedWith(res: ServerResponse): AbortController {
  const controller = new AbortController()
  if (res.closed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller
}
