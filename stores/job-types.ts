// The parts of jobs, and which jobs and parts to read. Types only.
//
// Times are milliseconds since 1970, 0 means none.
import type { Job, Part } from './records/job.ts'
import type { PartCounts, PartState } from './rules/part-states.ts'

export type { Part } from './records/job.ts'
export type { PartCounts, PartState } from './rules/part-states.ts'

/** A part with its index in its job, from 0. */
export type IndexedPart = Part & { index: number }

/** Which parts of a job to read. */
export interface PartPage {
  after?: number
  limit: number
  client?: string
  /** Only the parts of these clients. */
  clients?: readonly string[]
  /** Only those in this state. */
  state?: PartState
  outputs?: boolean
}

/** Unfinished parts in the order of their jobs and indexes: the first `limit` of those after `after`; default: all. */
export interface UnfinishedPage {
  after?: { job: number; index: number } | undefined
  limit?: number
  /** Only those in this state. */
  state?: 'queued' | 'sent'
}

/** Of one job. */
export interface UnfinishedParts {
  job: Job
  parts: IndexedPart[]
}

/** What waits in the queue of those jobs that one caller asked for. */
export interface WaitingParts {
  /** That of the jobs, '' for those without one. */
  account: string
  /** Parts in state queued. */
  parts: number
  /** Jobs that have such parts. */
  jobs: number
  /** Characters of the steps of these jobs as JSON, about. */
  characters: number
}

/** Which jobs to list; one part of the job must match all of `state`, `client` and `clients`. */
export interface JobFilter {
  state?: PartState
  /** A step's command. */
  command?: string
  /** The id of the schedule that started it. */
  schedule?: number
  client?: string
  /** As if jobs had no parts of other clients: these are not counted either. There may be thousands. */
  clients?: readonly string[]
  limit: number
}

/**
 * Computers of a job whose first part that did not succeed is in the same step and state, or that succeeded in all.
 * `reason`: of what was stopped, see `stopperOf`; '' of all others.
 */
export interface ComputerCount extends Pick<Part, 'step' | 'state' | 'reason'> {
  count: number
}

/** A change of one part; absent keys stay as they are. */
export interface PartUpdate extends Partial<Pick<Part, 'state' | 'reason' | 'sent' | 'ended' | 'expires' | 'output'>> {
  job: number
  index: number
}

/** A change under a condition. */
export interface Change extends PartUpdate {
  /** It has no effect when the part is not in this state, or was sent by another host or another life of this one. */
  from?: 'queued' | 'sent'
  /** Of a claim. */
  limits?: ClaimLimits
}

/** So many parts of all hosts may be sent at once; the claim is one of them. */
export interface ClaimLimits {
  /** Parts whose payload names this repository. */
  repository?: { address: string; slots: number }
  /** Parts of the job. */
  batch?: number
}

export interface Changed {
  /** Those that took effect. */
  applied: Change[]
  /** Claims beyond their limits; absent when there are none. Those that are tried again within seconds are first served by the sequence of jobs and parts. */
  full?: Change[]
  /** The parts of those that are in an ended state now. */
  ended: EndedPart[]
  finished: FinishedJob[]
}

export interface EndedPart extends Pick<IndexedPart, 'index' | 'client' | 'step' | 'state' | 'reason' | 'ended'> {
  job: number
}

/** A job that has no unfinished part any more: reported once, with the change of its last part. */
export interface FinishedJob extends Pick<Job, 'name' | 'by'> {
  job: number
  counts: PartCounts
  clients: string[]
}

/** Parts of one job that were ended together. */
export interface EndedParts {
  job: Pick<Job, 'id' | 'name' | 'by' | 'steps' | 'caller'>
  parts: EndedPart[]
  /** When these were its last ones. */
  finished?: FinishedJob
}

/** Whose queued parts are cancelled. */
export type CancelTarget = { job: number; clients?: readonly string[] } | { clients: readonly string[] }

/** Why a procedure or task cannot be stored. `loop`: its steps would lead back to itself. */
export type StepConflict = 'unknown center' | 'name taken' | 'unknown step' | 'loop'
