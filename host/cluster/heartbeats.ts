// Judges by the heartbeats of hosts which of them are gone: never by clocks of others, never by an outage of the database.
import type { MemberHost } from '../../stores/store.ts'

/** A read that took longer says nothing about the time in which heartbeats did not change. */
const slowMilliseconds = 1000

/** Members are read each second: after a longer time without a read, this process or the database was stopped. */
const pauseMilliseconds = 2500

export class Heartbeats {
  /** By host and epoch; `since`: when this heartbeat was seen first, by `performance.now`. */
  #observed = new Map<string, { heartbeat: string; since: number }>()
  /** When members were read last. */
  #readAt = Number.NEGATIVE_INFINITY
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** The members of a read that began at `began`; returns those whose heartbeat has not changed for their lease. */
  observe(members: readonly MemberHost[], began: number): MemberHost[] {
    const now = this.#now()
    if (now - began > slowMilliseconds || began - this.#readAt > pauseMilliseconds) this.forget()
    this.#readAt = now
    const observed = new Map<string, { heartbeat: string; since: number }>()
    const silent = members.filter(({ name, epoch, heartbeat, lease }) => {
      const key = `${name} ${epoch}`
      const last = this.#observed.get(key)
      const entry = last?.heartbeat === heartbeat ? last : { heartbeat, since: now }
      observed.set(key, entry)
      return began - entry.since >= lease
    })
    this.#observed = observed
    return silent
  }

  /** Begins all observations anew: a read has failed. */
  forget(): void {
    this.#observed.clear()
  }
}
