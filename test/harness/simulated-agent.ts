// One simulated agent at codec level: what tests, benchmarks and the lab speak to the daemon's agents' port with.
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { type Arrival, createRequestReader, message, type Request } from '../simulator/connection.ts'

export type { Request }
/** `delay` in ms. */
export type Reply = { status: number; body?: unknown; delay?: number }
/** By path, `*` for the rest. A handler that returns nothing never answers, or does it later by itself. */
export type Answers = Record<string, Reply | ((request: Request, agent: Agent) => Reply | undefined)>

export type AgentOptions = {
  port: number
  host?: string
  /** Its own loopback address, by which the daemon knows it. */
  addr?: string
  /** The paths that it answers by itself; `false` leaves even the first refresh to the test. */
  auto?: Answers | false
  /** How the first refresh is answered when the table does not say. */
  refresh?: Reply
  /** `false` does not collect `requests`: for thousands of agents. */
  keep?: boolean
  /** Told of each complaint as it arises. */
  complain?: (what: string) => void
}

const patience = 5_000 // ms that a test waits for a request, and close() for the other side
const interrupting = new Set(['/stop', '/reboot', '/poweroff'])
const ignore = () => {}

/**
 * Resolves when the connection stands and the first refresh has been answered; at the connection alone when `auto` is
 * `false` or its table has `/refresh` or `*`.
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
  /** Everything received so far, whoever answered it. */
  readonly requests: Request[] = []
  /** What a real agent would choke on, a line each; with one in it, next() and close() reject. */
  readonly complaints: string[] = []
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>
  /** How many requests await an answer; stop awaits none. */
  owed = 0
  readonly #socket: Socket
  readonly #options: AgentOptions
  readonly #answers: Answers
  readonly #inbox: Request[] = []
  readonly #news = new EventEmitter()
  #delayed: NodeJS.Timeout | undefined

  constructor(socket: Socket, addr: string, options: AgentOptions) {
    this.addr = addr
    this.#socket = socket
    this.#options = options
    this.#answers = options.auto || {}
    const read = createRequestReader()
    socket.on('data', segment => {
      for (const arrival of read(segment)) this.#take(arrival)
    })
    socket.on('error', ignore) // 'close' follows and says enough
    this.closed = new Promise(resolve => {
      socket.on('close', () => {
        clearTimeout(this.#delayed)
        this.#news.emit('news')
        resolve()
      })
    })
  }

  /** The next request that neither the table nor the test has dealt with. With a path, any other one is an error. */
  async next(path?: string): Promise<Request> {
    const signal = AbortSignal.timeout(patience)
    const error = (what: string) => new Error(`${this.addr}: waiting for ${path ?? 'a request'}: ${what}`)
    for (;;) {
      if (this.complaints.length > 0) throw error(this.complaints.join('; '))
      const request = this.#inbox.shift()
      if (request && path && request.path !== path) throw error(`got ${request.method} ${request.path}`)
      if (request) return request
      if (this.#socket.destroyed) throw error('the connection is closed')
      await once(this.#news, 'news', { signal }).catch(() => {
        throw error(`nothing came in ${patience} ms`)
      })
    }
  }

  answer(status: number, body?: unknown): void {
    this.owed = Math.max(0, this.owed - 1)
    this.#socket.write(message(status, body))
  }

  /** Answers, after the delay if there is one; a delayed answer is lost with the connection. */
  reply({ status, body, delay = 0 }: Reply): void {
    clearTimeout(this.#delayed)
    this.#delayed = delay > 0 ? setTimeout(() => this.reply({ status, body }), delay) : undefined
    if (!this.#delayed) this.answer(status, body)
  }

  /** Cuts a delayed answer short: it goes out at once, as a failure. */
  abort(): void {
    if (this.#delayed) this.reply({ status: 500 })
  }

  event(action: 'start' | 'stop', user: string): void {
    this.#socket.write(message(103, { event: 'session', action, user }))
  }

  /** Bytes as they are. Each status line in them, 103 apart, counts as an answer. */
  send(bytes: string | Buffer): void {
    this.#count(bytes)
    this.#socket.write(bytes)
  }

  /** The same, each byte in a segment and a turn of the event loop of its own. */
  async sendByByte(bytes: string | Buffer): Promise<void> {
    this.#count(bytes)
    for (const byte of Buffer.from(bytes)) {
      this.#socket.write(Buffer.of(byte))
      await turn()
    }
  }

  /** Says that the daemon's deadline has passed: it may send again although it was not answered. */
  overdue(): void {
    this.owed = 0
  }

  /** Ends the connection in order; rejects when the daemon broke the protocol on it. */
  async close(): Promise<void> {
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), patience).unref()
    await this.closed
    if (this.complaints.length > 0) throw new Error(`${this.addr}: ${this.complaints.join('; ')}`)
  }

  /** Breaks the connection with a reset, as a machine that crashes. */
  destroy(): void {
    this.#socket.resetAndDestroy()
  }

  #count(bytes: string | Buffer): void {
    const answers = bytes.toString('latin1').match(/HTTP\/1\.[01] (?!103)\d{3}/g) ?? []
    this.owed = Math.max(0, this.owed - answers.length)
  }

  #take({ request, joined, wrong }: Arrival): void {
    for (const what of wrong) this.#complain(what)
    if (!request) return
    const { path } = request
    const allowed = interrupting.has(path)
    if (this.owed > 0 && !allowed) this.#complain(`${path} before the answer to the request before it`)
    if (joined && !allowed) this.#complain(`${path} in one segment with the request before it`)
    if (path !== '/stop') this.owed += 1
    if (this.#options.keep !== false) this.requests.push(request)
    const answer = this.#answers[path] ?? this.#answers['*']
    const reply = typeof answer === 'function' ? answer(request, this) : answer
    if (reply) this.reply(reply)
    if (answer) return
    this.#inbox.push(request)
    this.#news.emit('news')
  }

  #complain(what: string): void {
    this.complaints.push(what)
    this.#options.complain?.(what)
    this.#news.emit('news')
  }
}
