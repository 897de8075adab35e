// The shapes of procedures, tasks, schedules, accounts, the audit log and imports in the API's answers.
import type { Role } from './answers.ts'
import type { RunOptions } from './plan-answers.ts'

/** `when` of the API: masks, and the half of the day and the minute as numbers. */
export interface When {
  years: number
  months: number
  weeks: number
  week_days: number
  days: number
  hours: number
  am_pm: number
  minutes: number
}

export interface CommandStep {
  command: string
  params: Record<string, unknown>
}
export type ProcedureStep = CommandStep | { procedure: number }
export type TaskStep = { procedure: number } | { task: number }

interface NamedSteps {
  id: number
  center: number
  name: string
  description: string
}
export interface ProcedureAnswer extends NamedSteps {
  steps: ProcedureStep[]
}
export interface TaskAnswer extends NamedSteps {
  steps: TaskStep[]
  scope?: { type: 'center' | 'room' | 'computer'; id: number }
  clients?: string[]
  options?: RunOptions
}

export const targetTypes = ['task', 'procedure', 'command'] as const
export type TargetType = (typeof targetTypes)[number]

export interface ScheduleAnswer {
  id: number
  type: TargetType
  /** The id of what `type` names. */
  task: number
  name: string
  when: When
  suspended: 0 | 1
  scheduled?: CommandStep & { clients: string[] }
}

/** A token or a user; `expires` of tokens only. Times are seconds since 1970, 0: never. */
export interface AccountAnswer {
  id: number
  name: string
  role: Role
  centers: number[]
  rooms: number[]
  created: number
  by: string
  disabled: boolean
  used: number
  expires?: number
}

export interface AuditAnswer {
  time: string
  who: string
  address: string
  route: string
  status: number
  clients: string[]
  count: number
  job?: number
  more?: number
}

export interface ImportConflict {
  line: number
  reason: string
}
export interface ImportRow {
  line: number
  name: string
  ip: string
  action: 'add' | 'update' | 'none'
  room?: string
  changes?: { key: string; from: string; to: string }[]
}
export interface ImportAnswer {
  added: number
  exists: number
  updated?: number
  conflicts: ImportConflict[]
  warnings?: ImportConflict[]
  rows?: ImportRow[]
  omitted?: number
}
