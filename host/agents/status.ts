// The status of an agent, the words with which agents report it, and the state that callers see.

export type Status = 'oglive' | 'busy' | 'virtual' | 'linux' | 'linux-session' | 'windows' | 'windows-session'

// The specification names the first three. Any other status is OFF, unless the option `rest.os_states` is true.
const states: Record<Status, { state: string; osState: string }> = {
  oglive: { state: 'OPG', osState: 'OPG' },
  busy: { state: 'BSY', osState: 'BSY' },
  virtual: { state: 'VDI', osState: 'VDI' },
  linux: { state: 'OFF', osState: 'LNX' },
  'linux-session': { state: 'OFF', osState: 'LNXS' },
  windows: { state: 'OFF', osState: 'WIN' },
  'windows-session': { state: 'OFF', osState: 'WINS' },
}

/** The displayed state of a client without a pending request. */
export function stateOf(status: Status, osStates: boolean): string {
  return osStates ? states[status].osState : states[status].state
}

/** A new connection starts as the live environment. */
export class AgentStatus {
  #current: Status = 'oglive'
  /** The status before `setBusy`. */
  #former: Status | undefined
  readonly #onChange: () => void

  /** `onChange` is called when the status may have changed. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get current(): Status {
    return this.#current
  }

  /** Sets the status from an agent's word; false for an unknown word. A word for a system keeps its session. */
  report(word: string): boolean {
    const next = statusFrom(word, this.#former ?? this.#current)
    if (next === undefined) return false
    // An agent that reports that it is still busy can return to its former status later.
    if (next !== 'busy') this.#former = undefined
    this.#current = next
    this.#onChange()
    return true
  }

  /** Handles a login or logout; it has no effect in systems other than Linux and Windows. */
  setSession(action: 'start' | 'stop'): void {
    const next = statusAfter(action, this.#former ?? this.#current)
    if (next === (this.#former ?? this.#current)) return
    if (this.#former === undefined) this.#current = next
    else this.#former = next
    this.#onChange()
  }

  /** The agent has refused a command because it is busy with something else. */
  setBusy(): void {
    this.#former ??= this.#current
    this.#current = 'busy'
    this.#onChange()
  }

  /** The agent has executed a command: restores the status from before `setBusy`. */
  clearBusy(): void {
    if (this.#former === undefined) return
    this.#current = this.#former
    this.#former = undefined
    this.#onChange()
  }
}

function statusFrom(word: string, current: Status): Status | undefined {
  if (word === 'OPG') return 'oglive'
  if (word === 'BSY') return 'busy'
  if (word === 'VDI') return 'virtual'
  if (word.startsWith('LINUX')) return current === 'linux-session' ? current : 'linux'
  if (word.startsWith('WIN')) return current === 'windows-session' ? current : 'windows'
  return undefined
}

function statusAfter(action: 'start' | 'stop', current: Status): Status {
  if (current === 'linux' || current === 'linux-session') return action === 'start' ? 'linux-session' : 'linux'
  if (current === 'windows' || current === 'windows-session') return action === 'start' ? 'windows-session' : 'windows'
  return current
}
