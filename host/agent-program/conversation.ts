// One connection to the daemon: executes its requests one at a time and reports logins.
import type { Socket } from 'node:net'
import { messageOf } from './agent-log.ts'
import type { AgentState } from './agent-state.ts'
import { type LoginEvent, type Logins, startEvents } from './logins.ts'
import { type AgentReply, createRequestDecoder, type DaemonRequest, encodeReply } from './messages.ts'
import { type AgentServices, type EarlyEvent, type Handler, handlerOf, interfaceName, knownKeys } from './replies.ts'
import { runScript } from './shell-script.ts'

interface ConversationDeps extends Omit<AgentServices, 'address'> {
  logins(): Logins
  /** On trial: gets the status of each reply, which is not sent. */
  reportReply?: ((status: number) => void) | undefined
  onState(changes: Partial<AgentState>): void
}

export class Conversation {
  readonly #deps: ConversationDeps & AgentServices
  readonly #socket: Socket
  /** What is being executed; aborted when it has to end. */
  #current: AbortController | undefined
  /** Resolves when the last request has been executed. */
  #work = Promise.resolve()
  /** What a shutdown has ended: a reply to it would be taken for one to the shutdown. */
  #unanswered: AbortController | undefined
  /** The daemon knows the system: before that it ignores logins. */
  #isRefreshed = false

  /** For a socket that is connected. */
  constructor(socket: Socket, deps: ConversationDeps) {
    this.#socket = socket
    this.#deps = { ...deps, address: socket.localAddress ?? '' }
    const decode = createRequestDecoder(request => this.#onRequest(request))
    socket.on('data', bytes => {
      try {
        decode(bytes)
      } catch (error) {
        deps.log.error(`connection closed: ${messageOf(error)}`)
        socket.destroy()
      }
    })
    socket.on('close', () => this.#current?.abort())
    if (deps.options.hello) void this.#introduce()
  }

  reportLogin(event: LoginEvent): void {
    if (!this.#isRefreshed) return
    this.#send(103, { event: 'session', ...event })
    // The daemon keeps one user: a login again for those who are left.
    const other = startEvents(this.#deps.logins()).at(-1)
    if (event.action === 'stop' && other) this.#send(103, { event: 'session', ...other })
  }

  #onRequest(request: DaemonRequest): void {
    const { route } = request
    const { options, log } = this.#deps
    log.debug(`request ${route}`)
    // Never answered; the request that it ends is.
    if (route === 'POST /stop') return this.#current?.abort()
    if (route === 'POST /poweroff') return void this.#shutDown(request, options.poweroffCommand)
    if (route === 'POST /reboot') return void this.#shutDown(request, options.rebootCommand)
    if (route === 'POST /probe') return this.#probe()
    if (this.#current) return this.#reply(request, { status: 503 })
    this.#work = this.#execute(request)
  }

  #probe(): void {
    const isBusy = this.#current !== undefined
    const { system } = this.#deps
    const status = isBusy ? 'BSY' : system.word
    this.#send(isBusy ? 202 : 200, { status, speed: system.linkSpeed(interfaceName(this.#deps)) })
  }

  async #execute(request: DaemonRequest): Promise<void> {
    const handler = handlerOf(request.route, this.#deps.system)
    if (!handler) {
      const reason = this.#deps.system.refusals?.[request.route]
      return this.#reply(request, { status: 400, ...(reason !== undefined && { body: { reason } }) })
    }
    const current = new AbortController()
    this.#current = current
    this.#show({ work: { request } })
    const { reply, reason } = await this.#run(handler, request, current.signal)
    if (reply.afterwards) {
      this.#reply(request, reply)
      return reply.afterwards()
    }
    this.#show({ work: undefined, last: { request, reason } })
    this.#current = undefined
    if (this.#unanswered !== current) this.#reply(request, reply)
    if (request.route === 'GET /refresh' && reply.status === 200) this.#reportUsers()
  }

  /** Never rejects. `reason`: of a failure. */
  async #run(handler: Handler, request: DaemonRequest, signal: AbortSignal) {
    try {
      const sendEvent = (event: EarlyEvent) => {
        if (event.event === 'progress') this.#show({ work: { request, progress: event } })
        this.#send(103, event)
      }
      const reply = await handler({ ...this.#deps, request, signal, sendEvent })
      return { reply, reason: reasonOf(reply) }
    } catch (error) {
      const reason = signal.aborted ? 'stopped' : messageOf(error)
      this.#deps.log.info(`${request.route}: ${reason}`)
      const reply: AgentReply = { status: 500 }
      return { reply, reason }
    }
  }

  /** A connection that is closed says nothing of the one after it. */
  #show(changes: Partial<AgentState>): void {
    if (!this.#socket.destroyed) this.#deps.onState(changes)
  }

  #reportUsers(): void {
    if (this.#isRefreshed) return
    this.#isRefreshed = true
    for (const event of startEvents(this.#deps.logins())) this.#send(103, { event: 'session', ...event })
  }

  /** Replies first: the computer may be down before the command returns. A second reply says that the command failed. */
  async #shutDown(request: DaemonRequest, command: string): Promise<void> {
    const { log, system } = this.#deps
    this.#unanswered = this.#current
    this.#current?.abort()
    this.#send(202)
    await this.#work
    // What has been ended has shown its end.
    this.#show({ work: { request } })
    log.info(`running ${command}`)
    let reason: string
    try {
      const { status, out } = await runScript(system.shell, command, new AbortController().signal)
      if (status === 0) return
      reason = `exit code ${status}: ${out.trim()}`
    } catch (error) {
      reason = messageOf(error)
    }
    log.error(`${command}: ${reason}`)
    this.#show({ work: undefined, last: { request, reason } })
    this.#send(500)
  }

  #reply({ route }: DaemonRequest, { status, body }: AgentReply): void {
    const { log, reportReply } = this.#deps
    log.debug(`reply ${status} to ${route}`)
    if (reportReply) reportReply(status)
    else this.#send(status, body)
  }

  #send(status: number, body?: object): void {
    if (this.#socket.writable) this.#socket.write(encodeReply({ status, ...(body && { body }) }))
  }

  /** Again when more is known: the last introduction counts. */
  async #introduce(): Promise<void> {
    const { system } = this.#deps
    const serial = system.serialNumber()
    this.#send(103, this.#hello())
    await system.factsRead
    if (system.serialNumber() !== serial) this.#send(103, this.#hello())
  }

  #hello(): object {
    const { system, updater } = this.#deps
    const mac = system.macOf(interfaceName(this.#deps))
    const own = { name: system.computerName(), mac, serial: system.serialNumber(), os: system.osName() }
    return { event: 'hello', ...own, agent: updater.name(), keys: [...knownKeys, ...(system.keys ?? [])] }
  }
}

/** '' for a success. */
function reasonOf({ status, body }: AgentReply): string {
  if (status < 300) return ''
  return body && 'reason' in body ? String(body.reason) : `status ${status}`
}
