// The queue: parts that wait for their client, handed over one at a time, in order, and never twice.
import type { Job, Part, Store } from '../../stores/store.ts'
import type { AgentOutcome } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import { isRefusal } from '../refusal.ts'
import type { Clock } from '../system/clock.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { type Log, message } from '../system/log.ts'
import type { LoadedCommand, Prepare } from './prepare.ts'
import type { JobRecorder } from './recorder.ts'

export interface QueueDeps {
  store: Pick<Store, 'jobs'>
  fleet: Fleet
  events: Events
  orders: Prepare
  jobs: JobRecorder
  clock: Clock
  log: Log
  /** A loaded command by its name. */
  find(name: string): LoadedCommand | undefined
  /** The command that tells an agent that work waits for it. */
  queueCommand(): LoadedCommand | undefined
}

interface Waiting {
  job: number
  index: number
  command: string
  payload: Record<string, unknown>
  queued: number
  /** Seconds. */
  expires: number
}

/** What waits for one client. */
interface ClientQueue {
  addr: string
  waiting: Waiting[]
  /** When the part before the first one ended: its time runs from then, or from when it was queued. */
  since: number
  /** The agent has been told and has answered. */
  opened: boolean
  /** The agent was told and has not answered: until something new happens. */
  paused: boolean
  /** A part is being stored as sent, or has been sent and has not ended: nothing else happens meanwhile. */
  engaged: boolean
  /** The first part, while it is being stored as sent. */
  moving?: Waiting
  expiry?: () => void
}

/** Milliseconds until a part that could not be stored as sent is tried again. */
const retryMilliseconds = 5000

export class Queue {
  readonly #deps: QueueDeps
  readonly #clientQueues = new Map<string, ClientQueue>()
  readonly #unsubscribe: () => void

  constructor(deps: QueueDeps) {
    this.#deps = deps
    const listen = (event: FleetEvent) => {
      if (event.type === 'client-gone') this.#change(event.addr, { opened: false, paused: false })
      if (event.type === 'client-ready') this.#change(event.addr, { paused: false })
      if (event.type === 'client-ready' || event.type === 'command-ended') this.#advance(event.addr)
    }
    this.#unsubscribe = deps.events.on(listen, ['client-gone', 'client-ready', 'command-ended'])
  }

  /** Takes up what the store has: queued parts wait on, a part that was sent has lost its daemon. */
  async start(): Promise<void> {
    const { store, jobs, clock } = this.#deps
    const now = clock.now()
    for (const { job, parts } of await store.jobs.unfinished()) {
      jobs.resume(job, parts)
      for (const { index, state } of parts) {
        if (state === 'sent')
          jobs.update({ job: job.id, index, state: 'failure', reason: 'daemon restarted', ended: now })
      }
      this.add(job.id, job.steps, parts)
    }
  }

  /** Puts the queued ones of a job's parts behind what waits already; a part without a number has its place's. */
  add(job: number, steps: Job['steps'], parts: readonly (Part & { index?: number })[]): void {
    const touched = new Set<string>()
    for (const [place, part] of parts.entries()) {
      if (part.state !== 'queued') continue
      const { client, step, queued, expires, index = place } = part
      const jobStep = steps[step]
      if (!jobStep) continue
      const line = this.#clientQueues.get(client) ?? this.#newLine(client)
      line.waiting.push({ job, index, ...jobStep, queued, expires })
      line.paused = false
      touched.add(client)
    }
    for (const client of touched) this.#advance(client)
  }

  /** Wakes every line whose agent did not answer when it was told. */
  wake(): void {
    for (const line of [...this.#clientQueues.values()]) {
      line.paused = false
      this.#advance(line.addr)
    }
  }

  /** Cancels what waits of a job, or for addresses: how many parts. A part that is being handed over is too late. */
  cancel(which: { job: number } | { clients: string[] }, reason: string): number {
    const { jobs, clock } = this.#deps
    const lines =
      'clients' in which
        ? which.clients.flatMap(addr => this.#clientQueues.get(addr) ?? [])
        : this.#clientQueues.values()
    let cancelled = 0
    for (const line of [...lines]) {
      line.waiting = line.waiting.filter((part, place) => {
        const goes = !('job' in which && part.job !== which.job) && !(place === 0 && part === line.moving)
        if (goes) jobs.update({ job: part.job, index: part.index, state: 'cancelled', reason, ended: clock.now() })
        if (goes) cancelled += 1
        return !goes
      })
      this.#advance(line.addr)
    }
    return cancelled
  }

  /** How many parts wait. */
  get depth(): number {
    return [...this.#clientQueues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  close(): void {
    this.#unsubscribe()
    for (const { expiry } of this.#clientQueues.values()) expiry?.()
    this.#clientQueues.clear()
  }

  #newLine(addr: string): ClientQueue {
    const since = this.#deps.clock.now()
    const line: ClientQueue = { addr, waiting: [], since, opened: false, paused: false, engaged: false }
    this.#clientQueues.set(addr, line)
    return line
  }

  #change(addr: string, change: Partial<Pick<ClientQueue, 'opened' | 'paused'>>): void {
    const line = this.#clientQueues.get(addr)
    if (line) Object.assign(line, change)
  }

  /** Does the next thing that a line waits for, if it can be done now. */
  #advance(addr: string): void {
    const line = this.#clientQueues.get(addr)
    if (!line || line.engaged) return
    line.expiry?.()
    const [first] = line.waiting
    if (!first) {
      // Kept until the client is free: the time of what may be queued meanwhile runs from then.
      if (!this.#deps.fleet.has(addr) || this.#deps.fleet.isReady(addr)) this.#clientQueues.delete(addr)
      return
    }
    const left = Math.max(first.queued, line.since) + first.expires * 1000 - this.#deps.clock.now()
    line.expiry = this.#deps.clock.after(left, () => this.#expire(line, first))
    if (line.paused || !this.#deps.fleet.isReady(addr)) return
    if (line.opened) void this.#handOver(line, first)
    else this.#announce(line)
  }

  #expire(line: ClientQueue, part: Waiting): void {
    const ended = this.#deps.clock.now()
    this.#deps.jobs.update({ job: part.job, index: part.index, state: 'expired', reason: '', ended })
    line.waiting.shift()
    line.since = ended
    this.#advance(line.addr)
  }

  /** Any answer opens the line; the next step follows from the end of this one. */
  #announce(line: ClientQueue): void {
    const { queueCommand: herald, orders, fleet } = this.#deps
    const ready = herald()
    const accepted = ready && orders.reuse(ready, { clients: [line.addr] })
    const heard = (_: string, { answered }: AgentOutcome) => {
      line.opened = answered
      line.paused = !answered
    }
    const order = accepted && !isRefusal(accepted) && orders.toAgentRequest(ready, accepted, heard)
    if (order) return void fleet.send(line.addr, order)
    line.opened = true
    this.#advance(line.addr)
  }

  /** The part is stored as sent before its bytes go out: after a crash it has failed, it is never sent again. */
  async #handOver(line: ClientQueue, part: Waiting): Promise<void> {
    const { jobs, fleet, clock, log } = this.#deps
    const { job, index } = part
    line.expiry?.()
    line.engaged = true
    line.moving = part
    try {
      await jobs.updateNow({ job, index, state: 'sent', sent: clock.now() })
      if (!fleet.isReady(line.addr)) {
        // Somebody else was quicker, or the agent has gone: nothing was sent.
        await jobs.updateNow({ job, index, state: 'queued', sent: 0 })
        return this.#release(line)
      }
    } catch (error) {
      log.error('queue', `${line.addr}: job ${job} is not handed over yet`, error)
      line.paused = true
      clock.after(retryMilliseconds, () => this.wake())
      return this.#release(line)
    }
    line.waiting.shift()
    line.moving = undefined
    this.#send(line, part)
  }

  #release(line: ClientQueue): void {
    line.engaged = false
    line.moving = undefined
    this.#advance(line.addr)
  }

  #send(line: ClientQueue, { job, index, command, payload }: Waiting): void {
    const { jobs, find, orders, fleet, clock } = this.#deps
    const end = (ending: AgentOutcome) => {
      line.since = clock.now()
      line.engaged = false
      jobs.end(job, index, ending)
    }
    const fail = (reason: string) => {
      end({ result: 'failure', reason, answered: false })
      this.#advance(line.addr)
    }
    try {
      const ready = find(command)
      if (!ready?.command.forward) return fail(`no command ${command} is loaded that can be sent`)
      const accepted = orders.reuse(ready, { ...payload, clients: [line.addr] })
      if (isRefusal(accepted)) return fail(accepted.refused)
      const order = orders.toAgentRequest(ready, accepted, (_, ending) => end(ending))
      if (order) fleet.send(line.addr, order)
    } catch (error) {
      // The module's own function for the body threw.
      fail(message(error))
    }
  }
}
