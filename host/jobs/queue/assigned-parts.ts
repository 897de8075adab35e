// Takes the parts that other hosts of the fleet have assigned to this one: sends those that are to be sent at once, and
// queues the others.

import type { Assigned, AssignedPart, Job } from '../../../stores/store.ts'
import { type AgentOutcome, type AgentRequest, whenFinal } from '../../agents/agent-request.ts'
import { FailureLog } from '../../cluster/failure-log.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { message } from '../../log/log.ts'
import { forEachChunk } from '../../system/time-slices.ts'
import { clientsPerTick } from '../dispatch.ts'
import { endUpdate } from '../record/open-job.ts'
import type { PartAssigner } from './part-assigner.ts'
import { lostDatabase } from './part-sender.ts'
import type { QueueDeps } from './queue-deps.ts'
import type { QueueOwnership } from './queue-ownership.ts'
import { hostPrefix, toRequest } from './queued-request.ts'

/** Parts of one step of a job. */
interface StepGroup {
  job: Job
  step: number
  parts: AssignedPart[]
}

export class AssignedParts {
  readonly #deps: QueueDeps
  readonly #assigner: PartAssigner
  readonly #ownership: QueueOwnership
  readonly #failures: FailureLog
  /** What was taken last, and in which epoch. */
  #taken = { epoch: 0, last: 0 }
  #isNotified = false
  #taking: Promise<void> | undefined
  #isClosed = false

  constructor(deps: QueueDeps, assigner: PartAssigner, ownership: QueueOwnership) {
    this.#deps = deps
    this.#assigner = assigner
    this.#ownership = ownership
    this.#failures = new FailureLog(deps.log, {
      where: 'jobs',
      failed: 'parts that other hosts have assigned cannot be taken, tried again each second',
      succeeded: 'parts that other hosts have assigned are taken again',
    })
  }

  start(): void {
    this.#deps.cluster.onWork(() => this.#notify())
    this.#notify()
  }

  /** Resolves when what has been taken is sent. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#taking
  }

  #notify(): void {
    this.#isNotified = true
    this.#taking ??= this.#takeAll()
  }

  /** Takes one after the other, so that requests for one client are sent in their order. */
  async #takeAll(): Promise<void> {
    while (this.#isNotified && !this.#isClosed) {
      this.#isNotified = false
      try {
        const assigned = await this.#take()
        if (!assigned) continue
        this.#failures.succeeded()
        await this.#start(assigned)
      } catch (error) {
        // It is notified again each second.
        this.#failures.failed(error)
      }
    }
    this.#taking = undefined
  }

  async #take(): Promise<Assigned | undefined> {
    const { cluster, clock } = this.#deps
    if (!cluster.isMember()) return undefined
    const key = cluster.key()
    const after = this.#taken.epoch === key.epoch ? this.#taken.last : 0
    const { last, ...assigned } = await cluster.work.take(key, after, clock.now())
    this.#taken = { epoch: key.epoch, last }
    return assigned
  }

  async #start({ jobs, parts }: Assigned): Promise<void> {
    const { running, jobEvents, throttledLog } = this.#deps
    const { epoch } = this.#taken
    const jobsById = new Map(jobs.map(job => [job.id, job]))
    for (const { job, step, parts: partsOfStep } of groupBySteps(parts, jobsById)) {
      const claimed = partsOfStep.filter(part => part.claimed)
      const queued = partsOfStep.filter(part => !part.claimed)
      if (queued.length > 0) this.#ownership.place(job, queued)
      if (claimed.length === 0) continue
      running.add(job.id, claimed)
      jobEvents.note(job)
      await this.#send({ job, step, parts: claimed }, epoch).catch(error =>
        throttledLog('assigned').error('jobs', `job ${job.id}: could not send assigned parts`, error),
      )
    }
  }

  async #send(group: StepGroup, epoch: number): Promise<void> {
    const { cluster, fleet, recorder, clock } = this.#deps
    const { job, parts } = group
    const expires = new Map(parts.map(part => [part.index, part.expires]))
    // It is sent at once, so a retry sends it at once, too.
    const onEnd = (index: number, outcome: AgentOutcome) =>
      whenFinal(outcome, final => {
        const update = endUpdate(job.id, index, final, clock.now())
        recorder.update(expires.get(index) === 0 ? update : { ...update, expires: 0 })
      })
    const fail = (failed: readonly AssignedPart[], reason: string) => {
      for (const { index } of failed) onEnd(index, { result: 'failure', reason, answered: false })
    }
    const request = this.#requestOf(group, (_, outcome, index) => onEnd(index, outcome))
    if (isRefusal(request)) return fail(parts, request.refused)
    const busy: AssignedPart[] = []
    const disconnected: AssignedPart[] = []
    const sendOne = (part: AssignedPart) => {
      const isKept = part.expires !== 0 && fleet.isLeaving(part.client)
      const result = isKept ? 'busy' : fleet.send(part.client, request, part.index)
      if (result === 'busy') busy.push(part)
      if (result === 'not connected') disconnected.push(part)
    }
    await forEachChunk(parts, clientsPerTick, chunk => {
      if (!cluster.isMember() || cluster.key().epoch !== epoch) fail(chunk, `${hostPrefix(cluster)}${lostDatabase}`)
      else fleet.batchWrites(() => chunk.forEach(sendOne))
    })
    this.#leave(job, busy, () => 'busy')
    if (disconnected.length > 0) void this.#leaveDisconnected(job, disconnected)
  }

  #requestOf({ job, step, parts }: StepGroup, onEnd: AgentRequest['onEnd']): AgentRequest | Refusal {
    const reason = this.#deps.whyHeld()
    if (reason !== undefined) return refuse(`${hostPrefix(this.#deps.cluster)}${reason}`)
    const { command, payload } = job.steps[step] ?? { command: '', payload: {} }
    return toRequest(
      parts.map(({ client }) => client),
      { command, payload },
      { onEnd, step: { job, index: step } },
      this.#deps,
    )
  }

  /** As with one host: unknown clients are skipped, known ones may wait until they are switched on. */
  async #leaveDisconnected(job: Job, parts: AssignedPart[]): Promise<void> {
    const { store, throttledLog } = this.#deps
    const addrs = parts.map(({ client }) => client)
    const computers = await store.computers.findMany(addrs).catch(error => {
      throttledLog('assigned').warn('jobs', `could not read computers: ${message(error)}`)
      return addrs.map(ip => ({ ip }))
    })
    const known = new Set(computers.map(({ ip }) => ip))
    this.#leave(job, parts, ({ client }) => (known.has(client) ? 'not connected' : 'unknown'))
  }

  /** Queues the parts that may wait, and skips the others. */
  #leave(job: Job, parts: readonly AssignedPart[], reasonOf: (part: AssignedPart) => string): void {
    const { recorder, clock } = this.#deps
    for (const part of parts) {
      const reason = reasonOf(part)
      if (part.expires === 0 || reason === 'unknown') {
        recorder.update({ job: job.id, index: part.index, state: 'skipped', reason, sent: 0, ended: clock.now() })
      } else {
        const queued: AssignedPart = { ...part, state: 'queued', sent: 0, claimed: false }
        void this.#assigner.giveBack(part).then(isQueued => isQueued && this.#ownership.place(job, [queued]))
      }
    }
  }
}

function groupBySteps(parts: readonly AssignedPart[], jobs: ReadonlyMap<number, Job>): StepGroup[] {
  const groups = new Map<string, StepGroup>()
  for (const part of parts) {
    const job = jobs.get(part.job)
    if (!job) continue
    const name = `${part.job}:${part.step}`
    const group = groups.get(name) ?? { job, step: part.step, parts: [] }
    groups.set(name, group)
    group.parts.push(part)
  }
  return [...groups.values()]
}
