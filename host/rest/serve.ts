// A request whose path belongs to commands: method, payload, the command itself, its answer.
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Limits, Request } from '../command.ts'
import type { Log } from '../log.ts'
import type { Loaded, Methods } from '../modules/registry.ts'
import { within } from '../within.ts'
import type { Perform } from '../work/perform.ts'
import { isRefusal } from '../work/refuse.ts'
import { isText, sendAnswer, sendText } from './answer.ts'
import { failRequest, refuseRequest, requestName } from './refusal.ts'

export interface ServeParts {
  log: Log
  limits: Limits
  perform: Perform
}

/** The specification's last steps: a method that the route does not allow, a missing payload, the answer. */
export async function serve(ctx: Context, methods: Methods, { log, limits, perform }: ServeParts): Promise<void> {
  const loaded = ctx.method === 'GET' ? methods.GET : methods.POST
  if (!loaded) return refuseRequest(ctx, 405, 'the route does not allow the method', log)
  const { payload, body, route } = loaded.command
  ctx.state.route = route
  const sent: { value: unknown } | undefined = ctx.state.body
  if (payload && body !== 'optional' && !sent) return refuseRequest(ctx, 400, 'the payload is missing', log)
  if (body === 'none' && sent) return refuseRequest(ctx, 400, 'a body is not allowed here', log)
  const seconds = limits.answer_seconds
  const inTime = <Result>(result: Promise<Result>) => within(seconds * 1000, `no answer within ${seconds} s`, result)
  try {
    const value = payload ? (sent ? sent.value : {}) : undefined
    const answer = await inTime(perform(loaded, value, requestOf(ctx, loaded, log)))
    if (isRefusal(answer)) refuseRequest(ctx, 400, answer.refused, log)
    else if (answer && isText(answer)) await inTime(sendText(ctx, answer))
    else sendAnswer(ctx, answer, limits, log)
  } catch (error) {
    failRequest(ctx, loaded.file, error, log)
  }
}

/** What a command may know of a request beside its payload, and do to it. */
function requestOf(ctx: Context, { path }: Loaded, log: Log): Request {
  let gone: AbortController | undefined
  return {
    rest: ctx.path.slice(path.length).split('/').filter(Boolean),
    query: new URLSearchParams(ctx.querystring),
    header: name => ctx.get(name),
    job: id => ctx.set('X-Job-Id', String(id)),
    // Made when it is asked for: few commands need one.
    get signal() {
      gone ??= abortedWith(ctx.res)
      return gone.signal
    },
    cutOff(reason) {
      log.warn('rest', `${requestName(ctx.req)}: cut off, ${reason}`)
      ctx.res.destroy()
    },
  }
}

function abortedWith(res: ServerResponse): AbortController {
  const controller = new AbortController()
  if (res.closed) controller.abort()
  else res.once('close', () => controller.abort())
  return controller
}
