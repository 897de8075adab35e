// Decides when the first waiting part of a client may start: by the conditions of its job, and with its group.

import type { Job } from '../../../stores/store.ts'
import { repositoryOf } from '../../images/repository-slots.ts'
import type { ClientQueue } from './client-queue.ts'
import type { QueueDeps } from './queue-deps.ts'
import type { QueuedPart, StartRules } from './queued-parts.ts'
import { StartGroups, type Wait } from './start-groups.ts'

interface GatedQueues {
  /** Asks again for the first part of a client. */
  advance(addr: string): void
  /** The time of the job's condition `until` has come. */
  expire(job: number, reason: string): void
}

export class StartGate {
  readonly groups: StartGroups
  readonly #deps: QueueDeps
  readonly #queues: GatedQueues
  /** Cancels the timer of each job that has a time. */
  readonly #timers = new Map<number, () => void>()
  /** Those whose `waitingPart` waits for a logout. */
  readonly #sessions = new Set<ClientQueue>()

  constructor(deps: QueueDeps, queues: GatedQueues) {
    this.#deps = deps
    this.#queues = queues
    this.groups = new StartGroups(deps, queues.advance)
  }

  /** For each step of a job with queued parts what these depend on; undefined: on nothing. */
  rulesOf({ id, steps, conditions }: Pick<Job, 'id' | 'steps' | 'conditions'>): (StartRules | undefined)[] {
    if (conditions?.until !== undefined) this.#watch(id, conditions.until)
    const { after_success, ...others } = conditions ?? {}
    return steps.map(({ command, payload }, step) => {
      const repository = repositoryOf(this.#deps.findCommand(command), payload)
      if (!conditions && repository === undefined) return undefined
      return { ...others, ...(after_success === step && { afterSuccess: step }), job: id, repository }
    })
  }

  /** Whether the first part of a queue may be sent. Otherwise it is held: `advance` is called when to ask again. */
  mayStart(queue: ClientQueue, part: QueuedPart): boolean {
    const { rules } = part
    if (!rules) return true
    const now = this.#deps.clock.now()
    // A client that has begun the job goes on with it: to be switched off after its restore, for instance.
    const isLate = rules.until !== undefined && now >= rules.until && queue.begun !== part.job
    if (!isLate && !this.#waitsForLogout(queue, rules) && this.groups.take(queue, part)) return true
    queue.hold(part, now)
    return false
  }

  /** The part that was held does not wait any more. */
  leave(queue: ClientQueue): void {
    if (!queue.waitingPart) return
    this.#sessions.delete(queue)
    this.groups.leave(queue, queue.waitingPart)
    queue.waitingPart = undefined
  }

  /** Why parts of a job wait that could be sent otherwise. */
  waitsOf(job: number): Wait[] {
    const sessions = [...this.#sessions].flatMap(({ waitingPart: part }): Wait | [] =>
      part?.job === job ? { for: 'logout', part } : [],
    )
    return [...sessions, ...this.groups.waitsOf(job)]
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    this.#sessions.clear()
    this.groups.close()
  }

  #waitsForLogout(queue: ClientQueue, { when_idle }: StartRules): boolean {
    const waits = when_idle === true && this.#deps.isLoggedIn?.(queue.addr) === true
    if (waits) this.#sessions.add(queue)
    return waits
  }

  #watch(job: number, until: number): void {
    if (this.#timers.has(job)) return
    const { clock } = this.#deps
    const end = () => {
      this.#timers.delete(job)
      this.#queues.expire(job, `not started until ${new Date(until).toISOString()}`)
    }
    this.#timers.set(job, clock.after(until - clock.now(), end))
  }
}
