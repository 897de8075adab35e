// The option `agents.adopt`: every client that introduces itself and has no record gets one in a room.
import type { Hello } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { Counts } from '../system/throttle.ts'
import type { Adopt } from './adopt.ts'

export interface AutoAdoptDeps {
  log: Log
  events: Events
  /** Read at each introduction, as the options may be loaded again. */
  options: { adopt: { room: number } | null }
  adopt: Adopt
  reports: { find(addr: string): Hello | undefined }
}

/** Milliseconds in which reports are gathered: each adoption reads all records. */
const gatherTime = 250

export class AutoAdopt {
  readonly #deps: AutoAdoptDeps
  readonly #reports = new Counts()
  /** Clients whose agents have introduced them since the last adoption. */
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: AutoAdoptDeps) {
    this.#deps = deps
    deps.events.on(
      event => {
        if (event.type === 'client-hello') this.#add(event.addr)
      },
      ['client-hello'],
    )
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #add(addr: string): void {
    const { options, reports } = this.#deps
    if (this.#isClosed || !options.adopt || !reports.find(addr)) return
    this.#waiting.add(addr)
    this.#timer ??= setTimeout(() => void this.#adoptWaiting(), gatherTime)
  }

  async #adoptWaiting(): Promise<void> {
    const { options, log, adopt } = this.#deps
    const clients = [...this.#waiting]
    this.#waiting = new Set()
    if (options.adopt) {
      const { room } = options.adopt
      try {
        const problems = await adopt({ clients, room }, 'all without problems')
        const refused = new Set(problems.map(({ client }) => client))
        for (const client of clients) {
          if (!refused.has(client)) log.info(`agent ${client}`, `adopted in room ${room} (agents.adopt)`)
        }
        for (const { client, reason } of problems) this.#report(client, reason)
      } catch (error) {
        // The store is closed with the daemon.
        if (!this.#isClosed) log.error('agents', `${clients.length} clients not adopted: ${message(error)}`, error)
      }
    }
    this.#timer = undefined
    if (this.#waiting.size > 0 && !this.#isClosed) {
      this.#timer = setTimeout(() => void this.#adoptWaiting(), gatherTime)
    }
  }

  /** Logs and emits the first refusal of an address within a minute. */
  #report(addr: string, reason: string): void {
    const { log, events } = this.#deps
    if (this.#reports.add(addr) > 1) return
    log.warn(`agent ${addr}`, `not adopted (agents.adopt): ${reason}`)
    events.emit({ type: 'adoption-refused', addr, reason })
  }
}
