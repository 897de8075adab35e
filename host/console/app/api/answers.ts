// The shapes of the API's answers that the console reads.

export interface ClientAnswer {
  addr: string
  state: string
  speed?: number
  status?: string
}

/** A command that has failed on a computer, which nobody has seen. */
export interface FailureAnswer {
  client: string
  command: string
  job: number
  reason: string
  time: string
}

export interface ScopeNode {
  name: string
  type: 'center' | 'room' | 'computer'
  id: number
  scope: ScopeNode[]
  ip?: string
}

export interface PlaceAnswer {
  client: string
  row: number
  column: number
}

export interface SessionAnswer {
  client: string
  user?: string
}

export type Role = 'read' | 'operate' | 'admin'

export interface CallerAnswer {
  name: string
  role: Role
  centers: number[]
  rooms: number[]
}

export const partStates = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled'] as const
export type PartState = (typeof partStates)[number]

export interface JobAnswer {
  id: number
  created: string
  origin: 'request' | 'task' | 'procedure' | 'schedule' | 'retry'
  name: string
  by: string
  caller?: string
  /** The commands of the first 20 steps. */
  commands: string[]
  steps?: number
  counts: Record<PartState, number>
  arguments?: (Record<string, unknown> | null)[] | null
}

/** How far the copy of an image is. */
export interface CopyProgress {
  percent: number
  /** Bytes per second. */
  rate?: number
  /** Seconds. */
  remaining?: number
}

/** Why a queued part waits although its client could take it. */
export interface PartWait {
  for: 'slot' | 'batch' | 'logout'
  /** From 1. */
  place?: number
  /** Until it starts, about. */
  seconds?: number
}

export interface PartAnswer {
  client: string
  step: number
  command: string
  state: PartState
  reason?: string
  queued?: string
  sent?: string
  ended?: string
  /** While it copies an image. */
  progress?: CopyProgress
  waiting?: PartWait
  /** Only when one client was asked for. */
  output?: string
  output_dropped?: true
}

/** One page of a job's parts. */
export interface JobDetails extends JobAnswer {
  parts: PartAnswer[]
  next?: number
}

/** An event of the stream; its further keys depend on its type. */
export interface FleetEvent {
  id: number
  time: string
  type: string
  clients: string[]
  rooms: number[]
  [key: string]: unknown
}
