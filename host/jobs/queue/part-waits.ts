// What the queued parts of a page of a job wait for, and until when, in the words of `GET /jobs/<id>`.
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import type { IndexedPart, Job } from '../../../stores/store.ts'
import type { FleetService, PartWait, WakeService } from '../../contract/services.ts'
import type { Clock } from '../../system/clock.ts'
import { timeText } from '../job-report.ts'
import type { Queue } from './queue.ts'

export interface PartWaitsDeps {
  queue: Pick<Queue, 'has' | 'expiryOf'>
  fleet: Pick<FleetService, 'has' | 'running'>
  wake: Pick<WakeService, 'lastSent'>
  clock: Clock
}

/** What the page says of the parts of one client before the next one. */
interface Before {
  isUnfinished: boolean
  /** Milliseconds since 1970. */
  ended: number
}

/** Returns a function to be called for the parts of one page, in their order. `waits`: of `JobRuns.waitsOf`. */
export function createWaitOf(
  { conditions }: Pick<Job, 'conditions'>,
  waits: ReadonlyMap<number, PartWait>,
  { queue, fleet, wake, clock }: PartWaitsDeps,
): (part: IndexedPart & { job: number }) => PartWait | undefined {
  const clients = new Map<string, Before>()
  const running = new Set(fleet.running().map(({ addr }) => addr))

  function reasonOf({ client, index }: IndexedPart, before: Before | undefined): PartWait | undefined {
    if (before?.isUnfinished) return { for: 'step' }
    const wait = waits.get(index)
    if (wait) return wait
    if (running.has(client)) return { for: 'busy' }
    if (fleet.has(client)) return undefined
    const woken = timeText(wake.lastSent(client) ?? 0)
    return { for: 'off', ...(woken !== undefined && { woken }) }
  }

  /** Until then the part may begin; undefined where that is not known, or does not count yet. */
  function untilOf(part: IndexedPart & { job: number }, before: Before | undefined): number | undefined {
    const until = conditions?.until
    if (until !== undefined && clock.now() < until) return until
    const { client, queued, expires } = part
    if (before?.isUnfinished || waits.has(part.index)) return undefined
    // Otherwise another host has its queue.
    if (queue.has(client)) return queue.expiryOf(client, part)
    return Math.max(queued, before?.ended ?? 0) + expires * 1000
  }

  return part => {
    const { client, state, ended } = part
    const before = clients.get(client)
    clients.set(client, { isUnfinished: before?.isUnfinished || isUnfinished(part), ended })
    const reason = state === 'queued' ? reasonOf(part, before) : undefined
    const until = reason && timeText(untilOf(part, before) ?? 0)
    return reason && { ...reason, ...(until !== undefined && { until }) }
  }
}
