// The computers, rooms and centers as the page shows them, each computer with signals of its own: an update changes one tile.
import { computed, type Signal, signal } from '@preact/signals'
import type { FailureAnswer } from '../../../contract/answers.ts'

/** What the page shows of a computer's state: `off` and `waking`, else the status of its agent, `busy` before the others. */
export type Condition =
  | 'off'
  | 'waking'
  | 'ready'
  | 'busy'
  | 'linux'
  | 'linux-session'
  | 'windows'
  | 'windows-session'
  | 'virtual'

export const conditions: readonly Condition[] = [
  ...(['ready', 'busy', 'waking', 'linux', 'linux-session', 'windows', 'windows-session', 'virtual', 'off'] as const),
]

export interface Live {
  condition: Condition
  /** The user who is logged in; '' for a session without a name; undefined without a session. */
  user: string | undefined
  isLocked: boolean
  /** What has failed on it, until it succeeds or somebody has seen it: also while it is off. */
  failures: readonly FailureAnswer[]
  /** Mbit/s; 0 when unknown. */
  speed: number
  /** Percent of what runs on it; undefined without progress. */
  progress: number | undefined
}

export interface ComputerView {
  readonly ip: string
  /** 0 for a client without a record. */
  readonly id: number
  readonly name: string
  /** The id of the room; 0 without a record. */
  readonly room: number
  readonly live: Signal<Live>
  readonly selected: Signal<boolean>
}

export interface ConditionCounts {
  byCondition: Readonly<Partial<Record<Condition, number>>>
  failed: number
}

export const noCounts: ConditionCounts = { byCondition: {}, failed: 0 }

export interface RoomView {
  id: number
  name: string
  center: number
  centerName: string
  computers: ComputerView[]
  /** Updated once per frame. */
  counts: Signal<ConditionCounts>
}

export interface CenterView {
  id: number
  name: string
  rooms: RoomView[]
}

export interface Seat {
  row: number
  column: number
}

export const noFailures: readonly FailureAnswer[] = []

/** What somebody has stopped is none. */
export const hasFailed = ({ failures }: Pick<Live, 'failures'>): boolean =>
  failures.some(({ stopped }) => stopped === undefined)

/** All that a computer has of its connection. */
export const offline: Omit<Live, 'failures'> = {
  condition: 'off',
  user: undefined,
  isLocked: false,
  speed: 0,
  progress: undefined,
}

export const centers = signal<readonly CenterView[]>([])
export const rooms = computed<readonly RoomView[]>(() => centers.value.flatMap(center => center.rooms))
/** All computers with a record, by address. */
export const computers = computed<ReadonlyMap<string, ComputerView>>(
  () => new Map(rooms.value.flatMap(room => room.computers.map(computer => [computer.ip, computer]))),
)
/** Connected clients without a record. */
export const pendingClients = signal<readonly ComputerView[]>([])
/** Where computers stand in their rooms, by address. */
export const seatsByAddress = signal<ReadonlyMap<string, Seat>>(new Map())
/** Of all computers, with and without a record; updated once per frame. */
export const counts = signal(noCounts)
export const failedCount = computed(() => counts.value.failed)
/** The first snapshot has arrived. */
export const isLoaded = signal(false)
/** Why the lists could not be read, '' when they could. */
export const loadProblem = signal('')

/** With or without a record. */
export const viewOf = (ip: string): ComputerView | undefined =>
  computers.value.get(ip) ?? pendingClients.value.find(pending => pending.ip === ip)
export const nameOf = (ip: string): string => computers.value.get(ip)?.name ?? ip
export const roomOf = (ip: string): RoomView | undefined => {
  const id = computers.value.get(ip)?.room
  return rooms.value.find(room => room.id === id)
}

/** Of the state and status of `GET /clients` and of events. */
export function conditionOf(state: string, status: string | undefined): Condition {
  if (state === 'WOL_SENT') return 'waking'
  if (state === 'BSY') return 'busy'
  switch (status) {
    case 'oglive':
      return 'ready'
    case 'linux':
    case 'linux-session':
    case 'windows':
    case 'windows-session':
    case 'virtual':
    case 'busy':
      return status
    default:
      return 'off'
  }
}
