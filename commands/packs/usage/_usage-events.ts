// Judges what has happened on computers: which connection is a boot, and which log-in is a new one.
import type { HookEvent } from 'fleet-host'

export const eventTypes = [
  'client-connected',
  'client-gone',
  'session-login',
  'session-logout',
  'job-part',
  'host-gone',
] as const

type UsageEvent = Exclude<HookEvent<(typeof eventTypes)[number]>, { type: 'events-missing' }>

export type Happening = 'boots' | 'logins' | 'logout' | 'failures' | undefined

/** A connection that was lost for less time is no boot. */
const shortestBoot = 10_000
/** After the start of a daemon the agents connect again, and say again who is logged in a moment after that. */
const quietTime = 300_000
const repeatedLogin = 60_000
/** So long after the end of a host its agents may still be reported as gone. */
const hostGoneTime = 60_000

/** Times in milliseconds since 1970, by address. */
export class SeenEvents {
  #quietUntil: number
  #hostGone = Number.NEGATIVE_INFINITY
  /** Who is logged in; '' where the agent does not say it. */
  #users = new Map<string, string>()
  #gone = new Map<string, number>()
  #joined = new Map<string, number>()

  /** `begun`: when the events began to be seen. */
  constructor(begun: number) {
    this.#quietUntil = begun + quietTime
  }

  /** Changes to the copy are in force when the copy replaces this one. */
  copy(): SeenEvents {
    const copy = new SeenEvents(0)
    copy.#quietUntil = this.#quietUntil
    copy.#hostGone = this.#hostGone
    copy.#users = new Map(this.#users)
    copy.#gone = new Map(this.#gone)
    copy.#joined = new Map(this.#joined)
    return copy
  }

  /** What an event is to be counted as. */
  judge(event: UsageEvent, ip: string): Happening {
    const time = Date.parse(event.time)
    switch (event.type) {
      case 'host-gone':
        // Its agents connect to other hosts.
        this.#quietUntil = time + quietTime
        this.#hostGone = time
        this.#gone.clear()
        return undefined
      case 'client-gone':
        if (!event.replaced && time >= this.#hostGone + hostGoneTime) this.#gone.set(ip, time)
        return undefined
      case 'client-connected':
        return this.#connect(ip, time)
      case 'session-login':
        return this.#login(ip, event.user ?? '', time)
      case 'session-logout':
        return this.#users.delete(ip) ? 'logout' : undefined
      case 'job-part':
        return event.state === 'failure' ? 'failures' : undefined
    }
  }

  #connect(ip: string, time: number): Happening {
    const isQuiet = time < this.#quietUntil
    const gone = this.#gone.get(ip)
    this.#gone.delete(ip)
    if (isQuiet) this.#joined.set(ip, time)
    if (gone === undefined ? isQuiet : time - gone < shortestBoot) return undefined
    this.#users.delete(ip)
    this.#joined.delete(ip)
    return 'boots'
  }

  #login(ip: string, user: string, time: number): Happening {
    const before = this.#users.get(ip)
    const joined = this.#joined.get(ip)
    this.#users.set(ip, user)
    this.#joined.delete(ip)
    if (before === user) return undefined
    return before === undefined && joined !== undefined && time - joined < repeatedLogin ? undefined : 'logins'
  }
}
