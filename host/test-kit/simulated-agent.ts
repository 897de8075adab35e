// A simulated agent: connects to the daemon's agent port, checks the requests, and replies from a table or on a call.
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTick } from 'node:timers/promises'
import { type Arrival, createRequestReader, message, type Request } from './agent-http.ts'

export type { Request }
/** `delay` in milliseconds. */
export type Reply = { status: number; body?: unknown; delay?: number }
/** By path; `*` is for all other paths. A handler that returns nothing never replies or replies later by itself. */
export type ReplyTable = Record<string, Reply | ((request: Request, agent: Agent) => Reply | undefined)>

export type AgentOptions = {
  port: number
  host?: string
  /** The loopback address by which the daemon identifies it. */
  addr?: string
  /** Automatic replies; `false`: not even to the first refresh. */
  auto?: ReplyTable | false
  /** The reply to the first refresh when `auto` has none. */
  refresh?: Reply
  /** `false`: `requests` stays empty, for tests with thousands of agents. */
  keep?: boolean
  /** Called for each violation of the protocol by the daemon. */
  onViolation?: (violation: string) => void
}

const waitTimeout = 60_000 // ms, for a request in next() and for the daemon in close(): the machine may be busy
const interruptingPaths = new Set(['/stop', '/reboot', '/poweroff'])
const ignore = () => {}

/**
 * Resolves when the agent has connected and has replied to the first refresh. When `auto` is `false` or has `/refresh`
 * or `*`, it resolves when the agent has connected.
 */
export async function connectAgent(options: AgentOptions): Promise<Agent> {
  const { port, host = '127.0.0.1', addr = '127.0.0.2', auto = {}, refresh = { status: 200 } } = options
  const socket = connect({ port, host, localAddress: addr, noDelay: true })
  const agent = new Agent(socket, addr, options)
  await once(socket, 'connect')
  if (auto === false || auto['/refresh'] || auto['*']) return agent
  try {
    await agent.next('/refresh')
  } catch (error) {
    agent.destroy()
    throw error
  }
  agent.reply(refresh)
  return agent
}

export class Agent {
  readonly addr: string
  /** All requests so far. */
  readonly requests: Request[] = []
  /** Violations of the protocol by the daemon, one line each. After the first one next() and close() reject. */
  readonly violations: string[] = []
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>
  /** How many requests have no reply; stop needs none. */
  missingReplies = 0
  readonly #socket: Socket
  readonly #options: AgentOptions
  readonly #replies: ReplyTable
  readonly #inbox: Request[] = []
  readonly #emitter = new EventEmitter()
  #delayedReply: NodeJS.Timeout | undefined

  constructor(socket: Socket, addr: string, options: AgentOptions) {
    this.addr = addr
    this.#socket = socket
    this.#options = options
    this.#replies = options.auto || {}
    const readRequests = createRequestReader()
    socket.on('data', segment => {
      for (const arrival of readRequests(segment)) this.#onRequest(arrival)
    })
    socket.on('error', ignore) // 'close' follows
    this.closed = new Promise(resolve => {
      socket.on('close', () => {
        clearTimeout(this.#delayedReply)
        this.#emitter.emit('change')
        resolve()
      })
    })
  }

  /** Resolves with the next request without an automatic reply. Rejects when its path is not `path`. */
  async next(path?: string): Promise<Request> {
    const signal = AbortSignal.timeout(waitTimeout)
    const error = (reason: string) => new Error(`${this.addr}: waiting for ${path ?? 'a request'}: ${reason}`)
    for (;;) {
      if (this.violations.length > 0) throw error(this.violations.join('; '))
      const request = this.#inbox.shift()
      if (request && path && request.path !== path) throw error(`got ${request.method} ${request.path}`)
      if (request) return request
      if (this.#socket.destroyed) throw error('the connection is closed')
      await once(this.#emitter, 'change', { signal }).catch(() => {
        throw error(`no request in ${waitTimeout} ms`)
      })
    }
  }

  /** Sends a reply at once. */
  answer(status: number, body?: unknown): void {
    this.missingReplies = Math.max(0, this.missingReplies - 1)
    this.#socket.write(message(status, body))
  }

  /** Sends a reply after its delay. A delayed reply is lost when the connection closes. */
  reply({ status, body, delay = 0 }: Reply): void {
    clearTimeout(this.#delayedReply)
    this.#delayedReply = delay > 0 ? setTimeout(() => this.reply({ status, body }), delay) : undefined
    if (!this.#delayedReply) this.answer(status, body)
  }

  /** Sends a delayed reply at once, as a failure. */
  abort(): void {
    if (this.#delayedReply) this.reply({ status: 500 })
  }

  /** Sends a session event: a login or logout. */
  event(action: 'start' | 'stop', user: string, locked = false): void {
    this.#socket.write(message(103, { event: 'session', action, user, ...(locked && { locked }) }))
  }

  /** Sends bytes unchanged. Each status line in them except 103 counts as a reply. */
  send(bytes: string | Buffer): void {
    this.#countReplies(bytes)
    this.#socket.write(bytes)
  }

  /** As `send`, with each byte in its own segment and event-loop tick. */
  async sendByByte(bytes: string | Buffer): Promise<void> {
    this.#countReplies(bytes)
    for (const byte of Buffer.from(bytes)) {
      this.#socket.write(Buffer.of(byte))
      await nextTick()
    }
  }

  /** Call this when the daemon's deadline has passed: the daemon may then send requests without a reply to earlier ones. */
  clearMissingReplies(): void {
    this.missingReplies = 0
  }

  /** Closes the connection in order. Rejects when the daemon has broken the protocol. */
  async close(): Promise<void> {
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), waitTimeout).unref()
    await this.closed
    if (this.violations.length > 0) throw new Error(`${this.addr}: ${this.violations.join('; ')}`)
  }

  /** Resets the connection, like a machine that crashes. */
  destroy(): void {
    this.#socket.resetAndDestroy()
  }

  #countReplies(bytes: string | Buffer): void {
    const statusLines = bytes.toString('latin1').match(/HTTP\/1\.[01] (?!103)\d{3}/g) ?? []
    this.missingReplies = Math.max(0, this.missingReplies - statusLines.length)
  }

  #onRequest({ request, joined, violations }: Arrival): void {
    for (const violation of violations) this.#reportViolation(violation)
    if (!request) return
    const { path } = request
    const isInterrupting = interruptingPaths.has(path)
    if (this.missingReplies > 0 && !isInterrupting)
      this.#reportViolation(`${path} before the reply to the previous request`)
    if (joined && !isInterrupting) this.#reportViolation(`${path} in one segment with the previous request`)
    if (path !== '/stop') this.missingReplies += 1
    if (this.#options.keep !== false) this.requests.push(request)
    const entry = this.#replies[path] ?? this.#replies['*']
    const reply = typeof entry === 'function' ? entry(request, this) : entry
    if (reply) this.reply(reply)
    if (entry) return
    this.#inbox.push(request)
    this.#emitter.emit('change')
  }

  #reportViolation(violation: string): void {
    this.violations.push(violation)
    this.#options.onViolation?.(violation)
    this.#emitter.emit('change')
  }
}
