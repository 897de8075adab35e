// The shapes of planned restores and of reports in the API's answers.
import type { PartState } from './answers.ts'

/** How a task runs. */
export interface RunOptions {
  wake?: boolean
  when_idle?: boolean
  until?: string
  batch?: number
  then?: 'poweroff' | 'session'
  /** Absent: `any`. */
  then_after?: 'success' | 'any'
}

export interface RoomPreview {
  id: number
  name: string
  center: string
  computers: number
  /** As things are now. */
  off: number
  in_use: number
  refused: number
}

/** Computers that have the same in the partition that a restore overwrites. */
export interface ContentGroup {
  /** '' when there is none, or it is not known. */
  system: string
  filesystem: string
  /** Another one than that of the image. */
  another_system: boolean
  computers: number
}

/** What a restore would do. Times are ISO. */
export interface PreviewAnswer {
  disk: string
  partition: string
  content: ContentGroup[]
  /** How many computers have another system there. */
  overwrites: number
  image: string
  repository: string
  starts: string
  until?: string
  computers: number
  rooms: RoomPreview[]
  refused: { client: string; name: string; room: string; reason: string }[]
}

export interface PlanAnswer {
  schedule: number
  name: string
  image: string
  disk: string
  partition: string
  computers?: number
  suspended: boolean
  options: RunOptions
  next?: string
  job?: number
}

export interface ReportCounts {
  total: number
  has: number
  unconfirmed: number
  open: number
  missing: number
}

export interface ReportAnswer extends ReportCounts {
  rooms: (ReportCounts & { room: string; center: string })[]
  computers: {
    client: string
    name: string
    room: string
    state: PartState
    unconfirmed?: true
    reason?: string
    started?: string
    ended?: string
  }[]
  next?: number
}
