// The option `agents.adopt`: every client that introduces itself and has no record gets one in a room.
import type { Hello } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { Counts } from '../system/throttle.ts'
import type { Adopt } from './adopt.ts'

interface AutoAdoptDeps {
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
  readonly #refusals = new Counts()
  /** Clients whose agents have reported since the last adoption. */
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: AutoAdoptDeps) {
    this.#deps = deps
    const onEvent = (event: FleetEvent) => {
      if (!('addr' in event) || !deps.options.adopt || !deps.reports.find(event.addr)) return
      this.#waiting.add(event.addr)
      this.#start()
    }
    deps.events.on(onEvent, ['client-hello'])
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #start(): void {
    if (this.#waiting.size === 0 || this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#adoptWaiting(), gatherTime)
  }

  async #adoptWaiting(): Promise<void> {
    const { options, log } = this.#deps
    const clients = [...this.#waiting]
    this.#waiting = new Set()
    try {
      if (options.adopt) await this.#adopt(clients, options.adopt.room)
    } catch (error) {
      // The store is closed with the daemon.
      if (!this.#isClosed) log.error('agents', `${clients.length} clients not adopted: ${message(error)}`, error)
    }
    this.#timer = undefined
    this.#start()
  }

  async #adopt(clients: string[], room: number): Promise<void> {
    const { log, events, adopt } = this.#deps
    const reasons = new Map(
      (await adopt({ clients, room }, 'all without problems')).map(({ client, reason }) => [client, reason]),
    )
    for (const addr of clients) {
      const reason = reasons.get(addr)
      if (reason === undefined) log.info(`agent ${addr}`, `adopted in room ${room} (agents.adopt)`)
      // Of an address the first one within a minute.
      else if (this.#refusals.add(addr) === 1) {
        log.warn(`agent ${addr}`, `not adopted (agents.adopt): ${reason}`)
        events.emit({ type: 'adoption-refused', addr, reason })
      }
    }
  }
}
