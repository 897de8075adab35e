// The queue: parts that wait for their client, handed over one at a time, in order, and never twice.
import type { Job, Part, Store } from '../../stores/store.ts'
import type { Ending } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import { isRefusal } from '../refusal.ts'
import type { Clock } from '../system/clock.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { type Log, message } from '../system/log.ts'
import type { Orders, Performable } from './prepare.ts'
import type { Jobs } from './recorder.ts'

export interface QueueParts {
  store: Pick<Store, 'jobs'>
  fleet: Fleet
  events: Events
  orders: Orders
  jobs: Jobs
  clock: Clock
  log: Log
  /** A loaded command by its name. */
  find(name: string): Performable | undefined
  /** The command that tells an agent that work waits for it. */
  herald(): Performable | undefined
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
interface Line {
  addr: string
  waiting: Waiting[]
  /** When the part before the first one ended: its time runs from then, or from when it was queued. */
  since: number
  /** The agent has been told and has answered. */
  opened: boolean
  /** The agent was told and has not answered: until something new happens. */
  asleep: boolean
  /** A part is being stored as sent, or has been sent and has not ended: nothing else happens meanwhile. */
  engaged: boolean
  /** The first part, while it is being stored as sent. */
  moving?: Waiting
  expiry?: () => void
}

/** Milliseconds until a part that could not be stored as sent is tried again. */
const retryMilliseconds = 5000

export class Queue {
  readonly #given: QueueParts
  readonly #lines = new Map<string, Line>()
  readonly #silence: () => void

  constructor(given: QueueParts) {
    this.#given = given
    const listen = (event: FleetEvent) => {
      if (event.type === 'client-gone') this.#change(event.addr, { opened: false, asleep: false })
      if (event.type === 'client-ready') this.#change(event.addr, { asleep: false })
      if (event.type === 'client-ready' || event.type === 'command-ended') this.#advance(event.addr)
    }
    this.#silence = given.events.on(listen, ['client-gone', 'client-ready', 'command-ended'])
  }

  /** Takes up what the store has: queued parts wait on, a part that was sent has lost its daemon. */
  async start(): Promise<void> {
    const { store, jobs, clock } = this.#given
    const now = clock.now()
    for (const { job, parts } of await store.jobs.unfinished()) {
      jobs.resume(job, parts)
      for (const { index, state } of parts) {
        if (state === 'sent')
          jobs.mark({ job: job.id, index, state: 'failure', reason: 'daemon restarted', ended: now })
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
      const given = steps[step]
      if (!given) continue
      const line = this.#lines.get(client) ?? this.#newLine(client)
      line.waiting.push({ job, index, ...given, queued, expires })
      line.asleep = false
      touched.add(client)
    }
    for (const client of touched) this.#advance(client)
  }

  /** Wakes every line whose agent did not answer when it was told. */
  rouse(): void {
    for (const line of [...this.#lines.values()]) {
      line.asleep = false
      this.#advance(line.addr)
    }
  }

  /** Cancels what waits of a job, or for addresses: how many parts. A part that is being handed over is too late. */
  cancel(which: { job: number } | { clients: string[] }, reason: string): number {
    const { jobs, clock } = this.#given
    const lines = 'clients' in which ? which.clients.flatMap(addr => this.#lines.get(addr) ?? []) : this.#lines.values()
    let cancelled = 0
    for (const line of [...lines]) {
      line.waiting = line.waiting.filter((part, place) => {
        const goes = !('job' in which && part.job !== which.job) && !(place === 0 && part === line.moving)
        if (goes) jobs.mark({ job: part.job, index: part.index, state: 'cancelled', reason, ended: clock.now() })
        if (goes) cancelled += 1
        return !goes
      })
      this.#advance(line.addr)
    }
    return cancelled
  }

  /** How many parts wait. */
  get depth(): number {
    return [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  close(): void {
    this.#silence()
    for (const { expiry } of this.#lines.values()) expiry?.()
    this.#lines.clear()
  }

  #newLine(addr: string): Line {
    const since = this.#given.clock.now()
    const line: Line = { addr, waiting: [], since, opened: false, asleep: false, engaged: false }
    this.#lines.set(addr, line)
    return line
  }

  #change(addr: string, change: Partial<Pick<Line, 'opened' | 'asleep'>>): void {
    const line = this.#lines.get(addr)
    if (line) Object.assign(line, change)
  }

  /** Does the next thing that a line waits for, if it can be done now. */
  #advance(addr: string): void {
    const line = this.#lines.get(addr)
    if (!line || line.engaged) return
    line.expiry?.()
    const [first] = line.waiting
    if (!first) {
      // Kept until the client is free: the time of what may be queued meanwhile runs from then.
      if (!this.#given.fleet.has(addr) || this.#given.fleet.isReady(addr)) this.#lines.delete(addr)
      return
    }
    const left = Math.max(first.queued, line.since) + first.expires * 1000 - this.#given.clock.now()
    line.expiry = this.#given.clock.after(left, () => this.#expire(line, first))
    if (line.asleep || !this.#given.fleet.isReady(addr)) return
    if (line.opened) void this.#handOver(line, first)
    else this.#announce(line)
  }

  #expire(line: Line, part: Waiting): void {
    const ended = this.#given.clock.now()
    this.#given.jobs.mark({ job: part.job, index: part.index, state: 'expired', reason: '', ended })
    line.waiting.shift()
    line.since = ended
    this.#advance(line.addr)
  }

  /** Any answer opens the line; the next step follows from the end of this one. */
  #announce(line: Line): void {
    const { herald, orders, fleet } = this.#given
    const ready = herald()
    const accepted = ready && orders.again(ready, { clients: [line.addr] })
    const heard = (_: string, { answered }: Ending) => {
      line.opened = answered
      line.asleep = !answered
    }
    const order = accepted && !isRefusal(accepted) && orders.order(ready, accepted, heard)
    if (order) return void fleet.send(line.addr, order)
    line.opened = true
    this.#advance(line.addr)
  }

  /** The part is stored as sent before its bytes go out: after a crash it has failed, it is never sent again. */
  async #handOver(line: Line, part: Waiting): Promise<void> {
    const { jobs, fleet, clock, log } = this.#given
    const { job, index } = part
    line.expiry?.()
    line.engaged = true
    line.moving = part
    try {
      await jobs.markNow({ job, index, state: 'sent', sent: clock.now() })
      if (!fleet.isReady(line.addr)) {
        // Somebody else was quicker, or the agent has gone: nothing was sent.
        await jobs.markNow({ job, index, state: 'queued', sent: 0 })
        return this.#release(line)
      }
    } catch (error) {
      log.error('queue', `${line.addr}: job ${job} is not handed over yet`, error)
      line.asleep = true
      clock.after(retryMilliseconds, () => this.rouse())
      return this.#release(line)
    }
    line.waiting.shift()
    line.moving = undefined
    this.#send(line, part)
  }

  #release(line: Line): void {
    line.engaged = false
    line.moving = undefined
    this.#advance(line.addr)
  }

  #send(line: Line, { job, index, command, payload }: Waiting): void {
    const { jobs, find, orders, fleet, clock } = this.#given
    const end = (ending: Ending) => {
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
      const accepted = orders.again(ready, { ...payload, clients: [line.addr] })
      if (isRefusal(accepted)) return fail(accepted.refused)
      const order = orders.order(ready, accepted, (_, ending) => end(ending))
      if (order) fleet.send(line.addr, order)
    } catch (error) {
      // The module's own function for the body threw.
      fail(message(error))
    }
  }
}
