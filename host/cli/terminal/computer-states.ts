// The states of computers in words for people: `on, Linux`, `waking`, `busy: image restore`, `off`.
import type { ClientAnswer } from '../../contract/answers.ts'
import type { Paint } from './terminal.ts'

export interface ComputerState {
  /** Of `GET /clients`; `off`: not connected. */
  state: ClientAnswer['state'] | 'off'
  status?: ClientAnswer['status']
}

const systems: Record<NonNullable<ClientAnswer['status']>, string> = {
  oglive: 'live system',
  busy: '',
  virtual: 'virtual desktop',
  linux: 'Linux',
  'linux-session': 'Linux in use',
  windows: 'Windows',
  'windows-session': 'Windows in use',
}

/** In the order of counts, with the names of queries. */
const kinds = ['on', 'busy', 'waking', 'off'] as const
type Kind = (typeof kinds)[number]

/** What `fleet clients --state` takes in place of the API's states. */
export const stateNames: readonly string[] = [...kinds, ...Object.keys(systems).filter(name => name !== 'busy')]

/** The compiler refuses the list when the API gets another one. */
const apiStates: Record<ClientAnswer['state'], true> = {
  ...{ OFF: true, BSY: true, OPG: true, VDI: true, WOL_SENT: true },
  ...{ LNX: true, LNXS: true, WIN: true, WINS: true },
}

/** Also a state as the API names it. */
export const isStateName = (name: string): boolean => stateNames.includes(name) || Object.hasOwn(apiStates, name)

export function kindOf({ state, status }: ComputerState): Kind {
  if (state === 'off') return 'off'
  if (state === 'WOL_SENT') return 'waking'
  return state === 'BSY' || status === 'busy' ? 'busy' : 'on'
}

/** `command`: what a busy one runs, where that is known. */
export function describeState(computer: ComputerState, command?: string): string {
  const kind = kindOf(computer)
  const more = kind === 'on' && computer.status ? `, ${systems[computer.status]}` : ''
  return kind === 'busy' && command !== undefined ? `busy: ${command.replaceAll('-', ' ')}` : `${kind}${more}`
}

/** A status as queries and `GET /search` name it. */
export const describeStatus = (name: string): string =>
  // `as`: what is no status has no system.
  systems[name as keyof typeof systems] ? `on, ${systems[name as keyof typeof systems]}` : name

/** Whether `name` is its state, its status, or the kind of either. */
export const isInState = (computer: ComputerState, name: string): boolean =>
  computer.state === name || computer.status === name || kindOf(computer) === name

/** `3 on, 1 waking, 1 off`. */
export function countStates(computers: readonly ComputerState[]): string {
  const counts = kinds.map(kind => ({ kind, count: computers.filter(each => kindOf(each) === kind).length }))
  return counts.flatMap(({ kind, count }) => (count === 0 ? [] : [`${count} ${kind}`])).join(', ')
}

const paints: Record<Kind, Paint> = { on: 'green', busy: 'yellow', waking: 'cyan', off: 'gray' }

export const colourOfState = (computer: ComputerState): Paint => paints[kindOf(computer)]
