// How callers see one connected client: its status, as its agent reports it, its state, speed and last result.
import type { ClientEntry } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
import { freeze } from '../system/frozen.ts'

type Status = 'oglive' | 'busy' | 'virtual' | 'linux' | 'linux-session' | 'windows' | 'windows-session'

/**
 * The state of each status, `osState` with the option `rest.os_states`, the words with which agents report it, and the
 * status after a login (`start`) and a logout (`stop`). The specification names the first three, any other status is OFF.
 */
const statuses: Record<Status, { state: string; osState?: string; words?: RegExp; start?: Status; stop?: Status }> = {
  oglive: { state: 'OPG', words: /^OPG$/ },
  busy: { state: 'BSY', words: /^BSY$/ },
  virtual: { state: 'VDI', words: /^VDI$/ },
  linux: { state: 'OFF', osState: 'LNX', words: /^LINUX/, start: 'linux-session' },
  'linux-session': { state: 'OFF', osState: 'LNXS', stop: 'linux' },
  windows: { state: 'OFF', osState: 'WIN', words: /^WIN/, start: 'windows-session' },
  'windows-session': { state: 'OFF', osState: 'WINS', stop: 'windows' },
}

// `as`: TypeScript takes the keys of an object for any text.
const allStatuses = Object.keys(statuses) as Status[]

/** The values of `last_cmd` in `GET /clients`. */
export const lastCommands = {
  unknown: Object.freeze({ result: 'unknown' }),
  success: Object.freeze({ result: 'success' }),
  failure: Object.freeze({ result: 'failure' }),
} as const

type ClientStateEvent = Extract<FleetEvent, { type: 'client-state' }>

/** A new connection starts as the live environment. */
export class ClientState {
  readonly #addr: string
  readonly #osStates: boolean
  readonly #onChange: (addr: string) => void
  #status: Status = 'oglive'
  /** The status before the agent refused a command because it is busy with something else. */
  #formerStatus: Status | undefined
  /** Mbit/s. */
  #speed = 0
  #result: keyof typeof lastCommands = 'unknown'
  /** Whether it works on a command of this daemon. */
  #hasCommand = false
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
      status: this.#status,
    })
    return this.#entry
  }

  /** The next `client-state` event, which nobody changes; undefined while state and status are those of the previous event. */
  nextEvent(): FleetEvent | undefined {
    const state = this.#state
    const status = this.#status
    const [last, former] = [this.#event, this.#formerEvent]
    if (last?.state === state && last.status === status) return undefined
    // Most clients go back and forth between two states, and the same event needs no more memory in the log.
    const isFormer = former?.state === state && former.status === status
    this.#event = isFormer ? former : { type: 'client-state', addr: this.#addr, state, status }
    this.#formerEvent = last
    return this.#event
  }

  setBusy(hasCommand: boolean): void {
    this.#hasCommand = hasCommand
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

  /** Sets the status from an agent's word; false for an unknown word. A word for a system keeps its session. */
  report(word: string): boolean {
    const current = this.#formerStatus ?? this.#status
    const reported = allStatuses.find(status => statuses[status].words?.test(word))
    if (reported === undefined) return false
    // An agent that reports that it is still busy can return to its former status later.
    if (reported !== 'busy') this.#formerStatus = undefined
    this.#status = statuses[current].stop === reported ? current : reported
    this.#change()
    return true
  }

  /** Handles a login or logout; it has no effect in systems other than Linux and Windows. */
  setSession(action: 'start' | 'stop'): void {
    const next = statuses[this.#formerStatus ?? this.#status][action]
    if (next === undefined) return
    if (this.#formerStatus === undefined) this.#status = next
    else this.#formerStatus = next
    this.#change()
  }

  /** The agent has refused a command because it is busy with something else. */
  setAgentBusy(): void {
    this.#formerStatus ??= this.#status
    this.#status = 'busy'
    this.#change()
  }

  /** The agent has executed a command: restores the status from before `setAgentBusy`. */
  clearAgentBusy(): void {
    if (this.#formerStatus === undefined) return
    this.#status = this.#formerStatus
    this.#formerStatus = undefined
    this.#change()
  }

  /** In the order of the specification: busy with a command first, then the status. */
  get #state(): string {
    if (this.#hasCommand) return 'BSY'
    const { state, osState = state } = statuses[this.#status]
    return this.#osStates ? osState : state
  }

  #change(): void {
    // Without an entry there is no list that contains it.
    if (!this.#entry) return
    this.#entry = undefined
    this.#onChange(this.#addr)
  }
}
