// A client of a test's lab: an agent with a real connection, whose replies the test sets.
import type { TestClient } from '../contract/test-lab.ts'
import type { Host } from '../host.ts'
import type { FleetEvent } from '../system/events.ts'
import { type Agent, connectAgent, type Request } from './simulated-agent.ts'

type Reply = { status: number; body?: object }

export class LabClient implements TestClient {
  readonly addr: string
  readonly #host: Host
  readonly #replies = new Map<string, (body: unknown) => Reply>()
  #agent: Agent | undefined
  #requests: Request[] = []

  constructor(addr: string, host: Host) {
    this.addr = addr
    this.#host = host
  }

  get requests(): { method: string; path: string; body: unknown }[] {
    return this.#requests.map(({ method, path, body }) => ({ method, path, body }))
  }

  replyTo(route: string, reply: object | ((body: unknown) => object), status = 200): void {
    this.#replies.set(route, body => ({ status, body: typeof reply === 'function' ? reply(body) : reply }))
  }

  async connect(): Promise<void> {
    const ready = this.#event('client-ready')
    this.#requests = []
    this.#agent = await connectAgent({
      port: this.#host.ports.agents,
      addr: this.addr,
      auto: { '*': request => this.#reply(request) },
    })
    await ready
    this.#requests = this.#requests.filter(({ path }) => path !== '/refresh')
  }

  async disconnect(): Promise<void> {
    const gone = this.#event('client-gone')
    await this.#agent?.close()
    await gone
  }

  login = (user: string): Promise<void> => this.#session('start', user)
  logout = (user: string): Promise<void> => this.#session('stop', user)

  destroy(): void {
    this.#agent?.destroy()
  }

  async #session(action: 'start' | 'stop', user: string): Promise<void> {
    const seen = this.#event(action === 'start' ? 'session-login' : 'session-logout')
    this.#agent?.event(action, user)
    await seen
  }

  #reply(request: Request): Reply {
    this.#requests.push(request)
    return this.#replies.get(`${request.method} ${request.path}`)?.(request.body) ?? { status: 200 }
  }

  #event(type: FleetEvent['type']): Promise<void> {
    const { addr } = this
    return new Promise(resolve => {
      const unsubscribe = this.#host.events.on(
        event => {
          if (!('addr' in event) || event.addr !== addr) return
          unsubscribe()
          resolve()
        },
        [type],
      )
    })
  }
}
