// What becomes of wake-ups: whether the computer connects in time, and if not, what is known of why.
import { AddressTimes, type AddressTimesDeps } from '../agents/address-times.ts'
import { readNeighbourTable } from '../agents/neighbours.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import type { FleetService, Outcome } from '../contract/services.ts'
import { message } from '../log/log.ts'
import { limitLog, type ThrottledLog } from '../log/throttled-log.ts'
import type { Events } from '../system/events.ts'

export interface WakesDeps extends AddressTimesDeps {
  events: Events
  cluster: AddressTimesDeps['cluster'] & Pick<JobsCluster, 'feed'>
  fleet: Pick<FleetService, 'has'>
  /** Option `wol.seconds`. */
  seconds: number
  /** The file of the neighbour table; tests name another one. */
  neighbourTable?: string
}

/** What was done for one wake-up. `mac`: of the record. */
interface Sent {
  sentTo: readonly string[]
  mac: string
}

/** A wake-up that has begun. One of the two is to be called. */
interface Wake {
  /** Resolves when the computer has connected, to any host of the fleet, or has not in time. */
  end(sent: Sent): Promise<Outcome>
  /** No packet was sent. */
  cancel(): void
}

type Settled = 'connected' | 'timed out' | 'daemon ended'

export class Wakes {
  readonly #deps: WakesDeps
  /** When computers connected that had been woken. */
  readonly #successes: AddressTimes
  readonly #lastSent = new Map<string, number>()
  /** Of those in `#lastSent` the ones that have not connected since. */
  readonly #unanswered = new Map<string, number>()
  /** Why computers did not connect after the last wake-up. */
  readonly #failures = new Map<string, string>()
  readonly #waits = new Map<string, Set<(how: Settled) => void>>()
  readonly #logOf: ThrottledLog
  readonly #unsubscribe: () => void

  constructor(deps: WakesDeps) {
    this.#deps = deps
    this.#successes = new AddressTimes(deps, 'last-woken')
    this.#logOf = limitLog(deps.log)
    const stopLocal = deps.events.on(
      event => {
        if (!('addr' in event)) return
        const { type, addr } = event
        if (type !== 'wake-sent') return this.#onConnect(addr)
        this.#lastSent.set(addr, deps.clock.now())
        this.#unanswered.set(addr, deps.clock.now())
      },
      ['wake-sent', 'wake-answered', 'client-connected'],
    )
    const stopRemote = deps.cluster.feed.onRemote(
      ({ event }) => 'addr' in event && this.#onConnect(event.addr),
      ['client-connected'],
    )
    this.#unsubscribe = () => {
      stopLocal()
      stopRemote()
    }
  }

  #onConnect(addr: string): void {
    this.#unanswered.delete(addr)
    for (const settle of this.#waits.get(addr) ?? []) settle('connected')
  }

  /** To be called before anything is woken. */
  load(): Promise<void> {
    return this.#successes.load()
  }

  /** Undefined when it has connected since. */
  lastSent(addr: string): number | undefined {
    return this.#unanswered.get(addr)
  }

  /** The last wake-up of this host since it started and why it failed, and the last success; in milliseconds since 1970. */
  async lastOf(addr: string): Promise<{ sent?: number; failure?: string; success?: number }> {
    const success = (await this.#successes.times()).get(addr)
    return { sent: this.#lastSent.get(addr), failure: this.#failures.get(addr), success }
  }

  /** To be called before its packets are sent. */
  start(addr: string): Wake {
    let settle: (how: Settled) => void = () => {}
    const settled = new Promise<Settled>(resolve => {
      settle = resolve
    })
    const { clock, seconds } = this.#deps
    const cancelTimer = clock.after(seconds * 1000, () => settle('timed out'))
    const waits = this.#waits.get(addr) ?? new Set()
    this.#waits.set(addr, waits.add(settle))
    void settled.then(() => {
      cancelTimer()
      waits.delete(settle)
      if (waits.size === 0) this.#waits.delete(addr)
    })
    return {
      end: async sent => this.#endOf(addr, await settled, sent),
      cancel: () => settle('timed out'),
    }
  }

  /** What waits ends; resolves when everything is stored. */
  async close(): Promise<void> {
    this.#unsubscribe()
    for (const waits of this.#waits.values()) for (const settle of waits) settle('daemon ended')
    await this.#successes.close()
  }

  async #endOf(addr: string, how: Settled, sent: Sent): Promise<Outcome> {
    // The presence of other hosts may be ahead of their events.
    if (how === 'connected' || this.#deps.fleet.has(addr)) {
      this.#successes.note(addr)
      this.#failures.delete(addr)
      return { result: 'success' }
    }
    if (how === 'daemon ended') return { result: 'failure', reason: how }
    const reason = await this.#explain(addr, sent)
    this.#failures.set(addr, reason)
    this.#logOf('timed out').info('wake', `${addr}: ${reason}`)
    return { result: 'failure', reason }
  }

  async #explain(addr: string, { sentTo, mac }: Sent): Promise<string> {
    const { seconds, neighbourTable } = this.#deps
    const [macs, last] = await Promise.all([
      readNeighbourTable(neighbourTable).then(
        table => table.get(addr) ?? [],
        () => [],
      ),
      this.#successes.times().then(times => times.get(addr), message),
    ])
    return [
      `did not connect within ${seconds} s`,
      `packets for ${mac} sent to ${sentTo.join(' and ')}`,
      describeNeighbours(macs, mac.toLowerCase()),
      typeof last === 'number' ? `last woken ${new Date(last).toISOString()}` : (last ?? 'it has never been woken'),
    ].join('; ')
  }
}

function describeNeighbours(macs: readonly string[], recorded: string): string {
  if (macs.length === 0) return 'the neighbour table does not have it'
  if (macs.includes(recorded)) return 'the neighbour table has the same hardware address'
  return `the neighbour table has ${macs.join(' and ')}`
}
