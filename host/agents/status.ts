// An agent's status, the words by which agents tell it, and how callers see it.

export type Status = 'oglive' | 'busy' | 'virtual' | 'linux' | 'linux-session' | 'windows' | 'windows-session'

// The specification names the first three; any other status is OFF unless the site's consoles know more.
const states: Record<Status, { state: string; osState: string }> = {
  oglive: { state: 'OPG', osState: 'OPG' },
  busy: { state: 'BSY', osState: 'BSY' },
  virtual: { state: 'VDI', osState: 'VDI' },
  linux: { state: 'OFF', osState: 'LNX' },
  'linux-session': { state: 'OFF', osState: 'LNXS' },
  windows: { state: 'OFF', osState: 'WIN' },
  'windows-session': { state: 'OFF', osState: 'WINS' },
}

/** The state string of a client without a last command. */
export function stateOf(status: Status, osStates: boolean): string {
  return osStates ? states[status].osState : states[status].state
}

export interface StatusKeeper {
  readonly current: Status
  /** Takes an agent's word; false when it means nothing. A session survives a word that only names its system. */
  say(word: string): boolean
  /** A login or logout; systems other than Linux and Windows know none. */
  session(action: 'start' | 'stop'): void
  /** The agent refused a command because it is busy with something else. */
  busy(): void
  /** The agent did a command: what `busy` set is over. */
  done(): void
}

/** A new connection starts in the live environment. */
export function keepStatus(): StatusKeeper {
  let current: Status = 'oglive'
  // The status before a refusal for being busy.
  let former: Status | undefined
  return {
    get current() {
      return current
    },
    say(word) {
      const next = statusFrom(word, former ?? current)
      if (next === undefined) return false
      // An agent that says itself that it is still busy leaves the way back open.
      if (next !== 'busy') former = undefined
      current = next
      return true
    },
    session(action) {
      if (former === undefined) current = statusAfter(action, current)
      else former = statusAfter(action, former)
    },
    busy() {
      former ??= current
      current = 'busy'
    },
    done() {
      current = former ?? current
      former = undefined
    },
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
