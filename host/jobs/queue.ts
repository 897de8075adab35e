// Sends the parts that wait for their client: one at a time, in order, and never twice.
import type { Job, Part, Store } from '../../stores/store.ts'
import type { AgentOutcome } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import { isRefusal } from '../refusal.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { ClientQueue, type QueuedName, type QueuedPart } from './client-queue.ts'
import { PartSender, type PartSenderDeps } from './part-sender.ts'
import type { JobRecorder } from './recorder.ts'
import type { RunningWork } from './running-work.ts'

export interface QueueDeps extends PartSenderDeps {
  store: { jobs: Pick<Store['jobs'], 'unfinished'> }
  fleet: Pick<Fleet, 'send' | 'has' | 'isReady'>
  events: Events
  recorder: Pick<JobRecorder, 'resume' | 'update' | 'updateNow' | 'end'>
  running: RunningWork
  /** The command that agents are sent before their queued parts. */
  queueCommand(): LoadedCommand | undefined
}

/** Which waiting parts to cancel: those of a job whose client `isOwn` accepts, or all of clients. */
export type CancelTarget = { job: number; isOwn(addr: string): boolean } | { clients: string[] }

export class Queue {
  readonly #deps: QueueDeps
  readonly #queues = new Map<string, ClientQueue>()
  readonly #sender: PartSender
  readonly #unsubscribe: () => void
  #isHeld = false

  constructor(deps: QueueDeps) {
    this.#deps = deps
    this.#sender = new PartSender(deps, {
      isHeld: () => this.#isHeld,
      advance: addr => this.#advance(addr),
      resume: addr => this.#resume(addr),
    })
    const listener = (event: FleetEvent) => {
      if (event.type === 'client-gone') this.#queues.get(event.addr)?.onClientGone()
      if (event.type === 'client-ready') this.#queues.get(event.addr)?.onClientReady()
      if (event.type === 'client-ready' || event.type === 'command-ended') this.#advance(event.addr)
    }
    this.#unsubscribe = deps.events.on(listener, ['client-gone', 'client-ready', 'command-ended'])
  }

  /** Continues with the parts in the store: queued parts wait, sent parts fail because their replies are lost. */
  async start(): Promise<void> {
    const { store, recorder, clock } = this.#deps
    const failed = { state: 'failure', reason: 'daemon restarted', ended: clock.now() } as const
    for (const { job, parts } of await store.jobs.unfinished()) {
      recorder.resume(job, parts)
      const sent = parts.filter(({ state }) => state === 'sent')
      for (const { index } of sent) recorder.update({ job: job.id, index, ...failed })
      this.add(job.id, job.steps, parts)
    }
  }

  /** Appends a job's queued parts to the queues of their clients; `index` defaults to the position in the array. */
  add(job: number, steps: Job['steps'], parts: readonly (Part & { index?: number })[]): void {
    const addrs = new Set<string>()
    for (const [position, part] of parts.entries()) {
      if (part.state !== 'queued') continue
      const { client, step, queued, expires, index = position } = part
      const jobStep = steps[step]
      if (!jobStep) continue
      const { command, payload } = jobStep
      const queue = this.#queueOf(client)
      queue.waiting.push({ job, index, command, payload, queued, expires })
      queue.resume()
      addrs.add(client)
    }
    for (const addr of addrs) this.#advance(addr)
  }

  /** Resumes the queues of all clients, also of those whose agents have not replied to the queue command. */
  wake(): void {
    for (const addr of [...this.#queues.keys()]) this.#resume(addr)
  }

  /** While it is held nothing is sent and nothing expires; then the time that parts may wait begins again. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    for (const queue of [...this.#queues.values()]) {
      queue.since = this.#deps.clock.now()
      this.#advance(queue.addr)
    }
  }

  /** Cancels waiting parts and returns their number. A part that is being sent stays. */
  cancel(target: CancelTarget, reason: string): number {
    const queues =
      'job' in target
        ? [...this.#queues.values()].filter(({ addr }) => target.isOwn(addr))
        : target.clients.flatMap(addr => this.#queues.get(addr) ?? [])
    const isTarget = ({ job }: QueuedPart) => !('job' in target) || job === target.job
    const ended = this.#deps.clock.now()
    let count = 0
    for (const queue of queues) {
      const parts = queue.waiting.filter(isTarget)
      queue.waiting = queue.waiting.filter(part => !isTarget(part))
      for (const { job, index } of parts) this.#deps.recorder.update({ job, index, state: 'cancelled', reason, ended })
      count += parts.length
      this.#advance(queue.addr)
    }
    return count
  }

  /** With several hosts: appends parts of a client that this host looks after from now on. */
  append(addr: string, parts: readonly QueuedPart[]): void {
    this.#queueOf(addr).append(parts)
    this.#resume(addr)
  }

  /** With several hosts: replaces the waiting parts of a client, apart from those that were added after `began`. */
  replace(addr: string, parts: readonly QueuedPart[], began: number): void {
    if (parts.length === 0 && !this.#queues.has(addr)) return
    this.#queueOf(addr).replace(parts, began)
    this.#advance(addr)
  }

  /** With several hosts: forgets the waiting parts of a client, or one of them that has ended; returns them. */
  drop(addr: string, part?: QueuedName): QueuedPart[] {
    const queue = this.#queues.get(addr)
    const parts = queue?.remove(part) ?? []
    if (queue && !part && !queue.isSending) {
      queue.cancelExpiry?.()
      this.#queues.delete(addr)
    } else if (parts.length > 0) this.#advance(addr)
    return parts
  }

  has(addr: string): boolean {
    return this.#queues.has(addr)
  }

  addrs(): string[] {
    return [...this.#queues.keys()]
  }

  /** How many parts wait. */
  get depth(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  close(): void {
    this.#unsubscribe()
    for (const { cancelExpiry } of this.#queues.values()) cancelExpiry?.()
    this.#queues.clear()
  }

  #queueOf(addr: string): ClientQueue {
    const queue = this.#queues.get(addr) ?? new ClientQueue(addr, this.#deps.clock.now())
    this.#queues.set(addr, queue)
    return queue
  }

  #resume(addr: string): void {
    this.#queues.get(addr)?.resume()
    this.#advance(addr)
  }

  /** Takes the next step that is possible now. */
  #advance(addr: string): void {
    const queue = this.#queues.get(addr)
    if (!queue || queue.isSending) return
    queue.cancelExpiry?.()
    const { fleet, running } = this.#deps
    const first = queue.waiting[0]
    if (!first) {
      // While the client is busy the queue stays: parts that are added then expire counted from the end of that work.
      if (!fleet.has(addr) || fleet.isReady(addr)) this.#queues.delete(addr)
      return
    }
    if (this.#isHeld) return
    this.#startExpiry(queue, first)
    if (!fleet.isReady(addr)) return
    switch (queue.state) {
      case 'idle':
        return this.#announce(queue)
      case 'open':
        return void running.whileStarting(this.#sender.sendFirst(queue, first))
      // In the other states an event must come first.
    }
  }

  #startExpiry(queue: ClientQueue, { job, index, queued, expires }: QueuedPart): void {
    const { clock, recorder } = this.#deps
    const remaining = Math.max(queued, queue.since) + expires * 1000 - clock.now()
    queue.cancelExpiry = clock.after(remaining, () => {
      const ended = clock.now()
      recorder.update({ job, index, state: 'expired', reason: '', ended })
      queue.waiting.shift()
      queue.since = ended
      this.#advance(queue.addr)
    })
  }

  /** Sends the queue command. Any reply opens the queue; the end of the command is an event that leads to #advance. */
  #announce(queue: ClientQueue): void {
    const { queueCommand, prepare, fleet } = this.#deps
    const loaded = queueCommand()
    const accepted = loaded && prepare.reuse(loaded, { clients: [queue.addr] })
    const onEnd = (_: string, { answered }: AgentOutcome) => queue.onAnnounced(answered)
    const request = accepted && !isRefusal(accepted) && prepare.toAgentRequest(loaded, accepted, onEnd)
    if (!request) {
      queue.onAnnounced(true)
      return this.#advance(queue.addr)
    }
    queue.announce()
    fleet.send(queue.addr, request)
  }
}
