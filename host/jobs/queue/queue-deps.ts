// What the queues of a host and those who fill and empty them share.
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import type { ThrottledLog } from '../../log/throttled-log.ts'
import type { JobsDeps } from '../deps.ts'
import type { Prepare } from '../prepare.ts'
import type { JobEvents } from '../record/job-events.ts'
import type { JobRecorder } from '../record/recorder.ts'
import type { RunningParts } from '../record/running-parts.ts'
import type { PartRights } from './part-rights.ts'
import type { QueuedName, QueuedPart } from './queued-parts.ts'

export interface QueueDeps extends JobsDeps {
  prepare: Prepare
  rights: PartRights
  recorder: JobRecorder
  running: RunningParts
  jobEvents: JobEvents
  throttledLog: ThrottledLog
  /** The host that looks after a client's queue; undefined: this one. */
  hostOf(addr: string): string | undefined
  /** True when another host looks after the client now, which gets the part. */
  handOver(addr: string, part: QueuedPart): boolean
  /** Resolves when a part that the store may have as sent is stored as queued; to false when it was claimed meanwhile. */
  giveBack(part: QueuedName): Promise<boolean>
  /**
   * The part, which was read as queued, is to be claimed: to give it back after that would take back what is sent now. True
   * when it was to be given back.
   */
  stopGivingBack(part: QueuedName): boolean
  /** The command that agents are sent before their queued parts. */
  queueCommand(): LoadedCommand | undefined
  /** Why nothing is sent at once now, if so. */
  whyHeld(): string | undefined
}
