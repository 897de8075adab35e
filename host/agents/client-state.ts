// How callers see one connected client: its state, status, speed and last result.
import type { ClientEntry } from '../services.ts'
import type { FleetEvent } from '../system/events.ts'
import { freeze } from '../system/frozen.ts'
import { AgentStatus, stateOf } from './status.ts'

/** The values of `last_cmd` in `GET /clients`. */
export const lastCommands = {
  unknown: Object.freeze({ result: 'unknown' }),
  success: Object.freeze({ result: 'success' }),
  failure: Object.freeze({ result: 'failure' }),
} as const

export class ClientState {
  readonly status = new AgentStatus(() => this.#change())
  readonly #addr: string
  readonly #osStates: boolean
  readonly #onChange: (addr: string) => void
  /** Mbit/s. */
  #speed = 0
  #result: keyof typeof lastCommands = 'unknown'
  #isBusy = false
  #entry: ClientEntry | undefined
  /** State and status in the last `client-state` event. */
  #emittedState = ''
  #emittedStatus = ''

  /** `osStates`: option `rest.os_states`; `onChange` is called when the entry has changed. */
  constructor(addr: string, osStates: boolean, onChange: (addr: string) => void) {
    this.#addr = addr
    this.#osStates = osStates
    this.#onChange = onChange
  }

  /** The entry in `GET /clients`, frozen; the same object until something in it changes. */
  get entry(): ClientEntry {
    this.#entry ??= freeze({
      addr: this.#addr,
      state: this.#state,
      speed: this.#speed,
      last_cmd: lastCommands[this.#result],
      status: this.status.current,
    })
    return this.#entry
  }

  /** The next `client-state` event; undefined while state and status are those of the previous event. */
  nextEvent(): FleetEvent | undefined {
    const state = this.#state
    const { current: status } = this.status
    if (state === this.#emittedState && status === this.#emittedStatus) return undefined
    this.#emittedState = state
    this.#emittedStatus = status
    return { type: 'client-state', addr: this.#addr, state, status }
  }

  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy
    this.#change()
  }

  setResult(result: 'success' | 'failure'): void {
    this.#result = result
    this.#change()
  }

  setSpeed(mbit: number): void {
    this.#speed = mbit
    this.#change()
  }

  /** In the order of the specification: busy with a command first, then the status. */
  get #state(): string {
    return this.#isBusy ? 'BSY' : stateOf(this.status.current, this.#osStates)
  }

  #change(): void {
    // Without an entry there is no list that contains it.
    if (!this.#entry) return
    this.#entry = undefined
    this.#onChange(this.#addr)
  }
}
