// The request of a caller, as commands see it.
import type { ServerResponse } from 'node:http'
import { noRights } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { AuditDetails, Request } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { callerOf } from './caller-address.ts'
import { requestName, toHeaderText } from './refuse.ts'
import type { RequestContext } from './request-context.ts'

/** Its values are computed on first use, as most commands use few of them. */
export class LazyRequest implements Request {
  /** What `job` and `created` were called with. */
  jobId: number | undefined
  createdId: number | undefined
  /** What `warn` was called with; several texts as one. */
  warning: string | undefined
  where: string | undefined
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

  get kept() {
    return (id: number) => this.#ctx.set('X-Undo-Id', String(id))
  }

  get about() {
    return (what: string, details?: AuditDetails) => {
      this.#ctx.state.about = { what, details }
    }
  }

  get joins() {
    return Number(this.#ctx.get('X-Undo-Id')) || undefined
  }

  get warn() {
    return (text: string) => {
      this.warning = this.warning === undefined ? text : `${this.warning}; ${text}`
      this.#ctx.set('X-Warning', toHeaderText(this.warning))
    }
  }

  get caller() {
    return callerOf(this.#ctx.req)
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
export function parseQuery(querystring: string): Record<string, string> {
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
