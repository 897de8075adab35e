// Sends the first part of a client's queue. It is stored as sent before its bytes are written, and never sent twice.

import type { AgentOutcome } from '../../agents/agent-request.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { decide } from '../ask-hooks.ts'
import { findObstacles } from '../preflight.ts'
import type { ClientQueue } from './client-queue.ts'
import type { QueueDeps } from './queue-deps.ts'
import type { QueuedPart } from './queued-parts.ts'
import { toQueuedRequest } from './queued-request.ts'
import type { StartGroups } from './start-groups.ts'

/** The queues that the part is in. */
interface PartSenderQueues {
  isHeld(): boolean
  advance(addr: string): void
  resume(addr: string): void
  groups(): Pick<StartGroups, 'limitsOf' | 'onFull' | 'release'>
}

/** Seconds until a part that could not be stored as sent is tried again. */
const retrySeconds = 5

export const lostDatabase = "this host has lost the fleet's database"

export class PartSender {
  readonly #deps: QueueDeps
  readonly #queues: PartSenderQueues

  constructor(deps: QueueDeps, queues: PartSenderQueues) {
    this.#deps = deps
    this.#queues = queues
  }

  /** After a crash the part fails: it may have been sent. What the store may have as sent is only given back to it. */
  sendFirst(queue: ClientQueue, part: QueuedPart): Promise<void> {
    return this.#deps.running.whileStarting(this.#sendFirst(queue, part))
  }

  async #sendFirst(queue: ClientQueue, part: QueuedPart): Promise<void> {
    const { handOver } = this.#deps
    queue.startSending()
    const state = await this.#claim(queue.addr, part).catch(error => this.#onStoreError(queue, part, error))
    if (state === 'sent') return this.#send(queue, part)
    if (state !== 'failed') queue.stopSending()
    if (state === 'full') this.#queues.groups().onFull(part)
    if (state !== 'ended' && !handOver(queue.addr, part)) queue.unshift(part)
    if (part.rules) this.#queues.groups().release(part)
    this.#queues.advance(queue.addr)
  }

  /** Stores the part as sent, unless it is not to be sent now: it is `queued` again, or `ended` here or by another host. */
  async #claim(addr: string, part: QueuedPart): Promise<'sent' | 'queued' | 'full' | 'ended'> {
    const { recorder, clock, rights, stopGivingBack } = this.#deps
    const { job, index } = part
    const queued = { job, index, state: 'queued', sent: 0 } as const
    if (stopGivingBack(part) || part.isUncertain) {
      await recorder.updateNow(queued)
      part.isUncertain = false
      return 'queued'
    }
    const obstacle = await this.#findObstacle(addr, part)
    if (obstacle !== undefined) return this.#skip(part, obstacle)
    const isMember = this.#startMembership()
    const limits = this.#queues.groups().limitsOf(part)
    const result = await recorder.updateNow({ job, index, state: 'sent', sent: clock.now() }, limits)
    await rights.refresh(part)
    if (result) return result === 'lost' ? 'ended' : result
    if (this.#isReady(addr) && isMember()) return 'sent'
    await recorder.updateNow(queued)
    if (!isMember()) throw new Error(lostDatabase)
    return 'queued'
  }

  #onStoreError(queue: ClientQueue, part: QueuedPart, error: unknown): 'failed' {
    const { clock, throttledLog } = this.#deps
    const what = `${queue.addr}: job ${part.job} not started, retry in ${retrySeconds} s`
    throttledLog('error').error('queue', what, error)
    part.isUncertain = true
    queue.onStoreError()
    clock.after(retrySeconds * 1000, () => this.#queues.resume(queue.addr))
    return 'failed'
  }

  async #findObstacle(addr: string, part: QueuedPart): Promise<string | undefined> {
    const { services, recorder, store, rights, access, decider, findCommand } = this.#deps
    const { job, command, payload, rules, account } = part
    if (rules?.afterSuccess !== undefined) {
      // What became of the step before may still be on its way to the store.
      await recorder.settle()
      const parts = await store.jobs.parts(job, { client: addr, limit: Number.MAX_SAFE_INTEGER, outputs: false })
      const { afterSuccess } = rules
      if (parts.some(({ step, state }) => step < afterSuccess && state !== 'success'))
        return 'a step before has not succeeded'
    }
    const loaded = findCommand(command)
    if (!loaded) return undefined
    const who = account === undefined ? undefined : access.rightsOf(account)
    const asked = { loaded, payload: { ...payload, clients: [addr] }, clients: [addr], rights: who, begins: false }
    const decision = await decide(asked, decider)
    if (isRefusal(decision)) return decision.refused
    const skipped = decision.get(addr)
    if (skipped !== undefined) return skipped
    if (!loaded.command.preflight && !loaded.command.checkRights) return undefined
    const refused = await rights.ask(addr, part, services)
    if (refused !== undefined) return refused
    const obstacles = await findObstacles(loaded, { ...payload, clients: [addr] }, services)
    return obstacles.get(addr)
  }

  /** Claimed first: with several hosts another one may have sent or ended it. */
  async #skip({ job, index }: QueuedPart, reason: string): Promise<'ended'> {
    const { recorder, clock } = this.#deps
    const ended = clock.now()
    const result = await recorder.updateNow({ job, index, state: 'sent', sent: ended })
    if (result === undefined) recorder.update({ job, index, state: 'skipped', reason, sent: 0, ended })
    return 'ended'
  }

  /** False when another command was sent meanwhile, the agent has disconnected, or the queue is held. */
  #isReady(addr: string): boolean {
    return !this.#queues.isHeld() && this.#deps.fleet.isReady(addr)
  }

  /** Returns whether this host has been the same member all the time: its part counts only then. */
  #startMembership(): () => boolean {
    const { cluster } = this.#deps
    const { epoch } = cluster.key()
    return () => cluster.isMember() && cluster.key().epoch === epoch
  }

  #send(queue: ClientQueue, part: QueuedPart): void {
    const { recorder, fleet, clock } = this.#deps
    const onEnd = (outcome: AgentOutcome) => {
      queue.since = clock.now()
      queue.stopSending()
      recorder.end(part.job, part.index, outcome)
    }
    const request = toQueuedRequest(queue.addr, part, (_, outcome) => onEnd(outcome), this.#deps)
    if (!isRefusal(request)) return void fleet.send(queue.addr, request)
    onEnd({ result: 'failure', reason: request.refused, answered: false })
    this.#queues.advance(queue.addr)
  }
}
