// Makes this host a member of the fleet, keeps it one by its heartbeat, and ends the membership of hosts that are gone.
import { setTimeout as wait } from 'node:timers/promises'
import type { EndedMember, HostKey, MemberHost, Members, Published } from '../../stores/store.ts'
import { OptionsError } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import { FailureLog } from './failure-log.ts'
import { Heartbeats } from './heartbeats.ts'
import { leaderOf } from './leader.ts'

interface MembershipDeps {
  members: Members
  log: Log
  name: string
  url: string
  version: string
  /** Milliseconds. Others judge this host by it, whatever theirs is. */
  lease: number
  /** Fingerprints of the commands in service. */
  modules(): Record<string, string>
  /** Members have come or gone, or this host has joined again. */
  onChange(): void
  /** This host is a member again, with a new epoch. */
  onRejoined(ended: EndedMember): void
  /** This host has ended the membership of another one. */
  onRemoved(host: string, ended: EndedMember): void
}

/** A host ends its work so long before others may declare it gone. */
const marginMilliseconds = 1000

/** Between two attempts to take a name that another process still holds. */
const retryMilliseconds = 250

export class Membership {
  readonly #deps: MembershipDeps
  readonly #heartbeats: Heartbeats
  readonly #failures: FailureLog
  #key: HostKey
  #members: readonly MemberHost[] = []
  /** When the last heartbeat that was written began, by `performance.now`. */
  #provenAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #refreshing: Promise<void> | undefined
  #rejoining: Promise<void> | undefined
  #isNameTaken = false
  #isClosed = false

  constructor(deps: MembershipDeps) {
    this.#deps = deps
    this.#key = { name: deps.name, epoch: 0 }
    this.#heartbeats = new Heartbeats()
    this.#failures = new FailureLog(deps.log, {
      failed: 'the heartbeat of this host cannot be written, it accepts no writes without it',
      succeeded: 'the heartbeat of this host is written again',
    })
  }

  key(): HostKey {
    return this.#key
  }

  members(): readonly MemberHost[] {
    return this.#members
  }

  /** Whether the database has not responded to the last heartbeat. */
  get isFailing(): boolean {
    return this.#failures.isFailing
  }

  isMember(): boolean {
    return performance.now() - this.#provenAt < this.#deps.lease - marginMilliseconds
  }

  isLeader(): boolean {
    return isSame(leaderOf(this.#members), this.#key) && this.isMember()
  }

  /** Becomes a member; resolves to what an earlier epoch left. Waits for the lease while another process has the name. */
  async join(): Promise<EndedMember> {
    const { name, lease, log } = this.#deps
    const deadline = performance.now() + lease
    for (let attempt = 1; ; attempt += 1) {
      const ended = await this.#tryJoin()
      if (ended) {
        this.#schedule()
        return ended
      }
      if (performance.now() >= deadline) {
        throw new OptionsError(`cluster.name: expected a name that no other host has, got ${name}, which is running`)
      }
      if (attempt === 1) log.info('cluster', `another process is host ${name}, waiting for its end`)
      await wait(retryMilliseconds)
    }
  }

  /** Reads who is a member, and removes hosts that are gone. An error is logged. Concurrent calls share one read. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Joins again, when this epoch is no member any more. */
  rejoin(): Promise<void> {
    this.#provenAt = Number.NEGATIVE_INFINITY
    this.#rejoining ??= this.#rejoin()
      .catch(error => this.#failures.failed(error))
      .finally(() => {
        this.#rejoining = undefined
      })
    return this.#rejoining
  }

  /** Ends the membership and publishes the events of that; an error is logged. */
  async leave(reason: string, eventsOf: (ended: EndedMember) => Published['events']): Promise<void> {
    const { members, log } = this.#deps
    this.stop()
    this.#provenAt = Number.NEGATIVE_INFINITY
    await members
      .leave(this.#key, reason, eventsOf)
      .catch(error => log.error('cluster', 'could not leave the fleet', error))
  }

  /** Writes no more heartbeats. */
  stop(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #tryJoin(): Promise<EndedMember | undefined> {
    const { members, name, url, version, lease, modules } = this.#deps
    const began = performance.now()
    const joined = await members.join({ name, url, version, lease, modules: modules() })
    if (!joined) return undefined
    this.#key = { name, epoch: joined.epoch }
    this.#provenAt = began
    return joined
  }

  async #rejoin(): Promise<void> {
    const { log, name, onRejoined, onChange } = this.#deps
    const ended = this.#isClosed ? undefined : await this.#tryJoin()
    if (!ended) {
      if (!this.#isNameTaken && !this.#isClosed) log.warn('cluster', `another process has become host ${name}`)
      this.#isNameTaken = true
      return
    }
    this.#isNameTaken = false
    log.warn('cluster', `host ${name} was declared gone and has joined again, epoch ${this.#key.epoch}`)
    onRejoined(ended)
    onChange()
    await this.refresh()
  }

  #schedule(began = performance.now()): void {
    if (this.#isClosed) return
    const delay = Math.max(0, began + this.#deps.lease / 3 - performance.now())
    this.#timer = setTimeout(() => void this.#beat(), delay)
  }

  async #beat(): Promise<void> {
    const { members, modules } = this.#deps
    const began = performance.now()
    try {
      const key = this.#key
      if (await members.beat(key, modules())) this.#provenAt = Math.max(this.#provenAt, began)
      else if (isSame(key, this.#key)) await this.rejoin()
      this.#failures.succeeded()
    } catch (error) {
      this.#failures.failed(error)
    }
    this.#schedule(began)
  }

  async #refresh(): Promise<void> {
    const { members } = this.#deps
    const began = performance.now()
    let list: MemberHost[]
    try {
      list = await members.list()
    } catch {
      // The heartbeat, which fails too, is what the log is about.
      this.#heartbeats.forget()
      return
    }
    if (this.#isClosed) return
    const own = list.find(({ name }) => name === this.#key.name)
    if (own?.epoch !== this.#key.epoch && (own?.epoch ?? 0) < this.#key.epoch && !this.#rejoining) void this.rejoin()
    const silent = this.#heartbeats.observe(list, began)
    this.#setMembers(list)
    for (const host of silent) if (!isSame(host, this.#key) && this.isMember()) await this.#remove(host)
  }

  async #remove(host: MemberHost): Promise<void> {
    const { members, log, onRemoved } = this.#deps
    const reason = 'host gone'
    const removed = await members.remove(host, reason).catch(error => log.error('cluster', 'could not remove', error))
    if (!removed) return
    const seconds = host.lease / 1000
    const agents = `it had ${removed.agents.length} agents`
    log.warn('cluster', `host ${host.name} has written no heartbeat for ${seconds} s and is gone, ${agents}`)
    this.#setMembers(this.#members.filter(each => !isSame(each, host)))
    onRemoved(host.name, removed)
  }

  #setMembers(list: readonly MemberHost[]): void {
    const { log, onChange } = this.#deps
    const before = this.#members
    const joined = list.filter(host => !before.some(each => isSame(each, host)))
    const gone = before.filter(host => !list.some(each => each.name === host.name))
    this.#members = list
    for (const { name, url } of joined) if (name !== this.#key.name) log.info('cluster', `host ${name} joined, ${url}`)
    for (const { name } of gone) if (name !== this.#key.name) log.info('cluster', `host ${name} left`)
    if (joined.length > 0 || gone.length > 0 || before.length !== list.length) onChange()
  }
}

const isSame = (a: HostKey | undefined, b: HostKey) => a?.name === b.name && a.epoch === b.epoch
