// What the agent does at this moment, for a system that shows it on the computer.
import type { DaemonRequest } from './messages.ts'

/** How far the copy of an image is. */
export interface ProgressReport {
  percent: number
  /** Of the image that were copied. */
  bytes: number
  /** Bytes of the image; undefined for one that is being made. */
  size?: number
  /** Bytes per second. */
  rate: number
  /** Seconds. */
  remaining?: number
}

export interface AgentState {
  /** `10.1.1.1:8889` */
  server: string
  /** Why there is no connection; '' while there is one. */
  problem: string
  /** What is being executed. */
  work: { request: DaemonRequest; progress?: ProgressReport } | undefined
  /** What ended last; `reason`: '' for a success. */
  last: { request: DaemonRequest; reason: string } | undefined
}
