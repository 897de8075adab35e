// How callers see one connected client: its state, status, speed and last result.
import type { ClientEntry } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
import { freeze } from '../system/frozen.ts'
import { AgentStatus, stateOf } from './status.ts'

/** The values of `last_cmd` in `GET /clients`. */
export const lastCommands = {
  unknown: Object.freeze({ result: 'unknown' }),
  success: Object.freeze({ result: 'success' }),
  failure: Object.freeze({ result: 'failure' }),
} as const

type ClientStateEvent = Extract<FleetEvent, { type: 'client-state' }>

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
  /** The last `client-state` event, and the one before it. */
  #event: ClientStateEvent | undefined
  #formerEvent: ClientStateEvent | undefined

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

  /** The next `client-state` event, which nobody changes; undefined while state and status are those of the previous event. */
  nextEvent(): FleetEvent | undefined {
    const state = this.#state
    const { current: status } = this.status
    const [last, former] = [this.#event, this.#formerEvent]
    if (last?.state === state && last.status === status) return undefined
    // Most clients go back and forth between two states, and the same event needs no more memory in the log.
    const isFormer = former?.state === state && former.status === status
    this.#event = isFormer ? former : { type: 'client-state', addr: this.#addr, state, status }
    this.#formerEvent = last
    return this.#event
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
