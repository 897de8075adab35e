// When agents were last connected, also to other hosts.
import type { JobsCluster } from '../cluster/cluster.ts'
import type { FleetService } from '../contract/services.ts'
import type { Events } from '../system/events.ts'
import { everySeconds } from '../system/periodic-jobs.ts'
import { AddressTimes, type AddressTimesDeps, setLater } from './address-times.ts'

interface LastSeenDeps extends AddressTimesDeps {
  cluster: Pick<JobsCluster, 'key' | 'members' | 'feed'>
  fleet: Pick<FleetService, 'clients'>
  events: Events
}

/** Seconds after which those are noted that have been connected all the time. */
const connectedSeconds = 900

export class LastSeen {
  readonly #deps: LastSeenDeps
  readonly #times: AddressTimes
  readonly #connected = new Set<string>()
  /** Of agents that other hosts have had, which store it a little later; in milliseconds. */
  readonly #remote = new Map<string, number>()
  readonly #stop: (() => void)[]

  constructor(deps: LastSeenDeps) {
    this.#deps = deps
    this.#times = new AddressTimes(deps, 'last-seen')
    this.#stop = [
      deps.events.on(
        (event, isRelayed) => {
          if (isRelayed) return
          if (event.type === 'client-connected') this.#connected.add(event.addr)
          if (event.type !== 'client-gone') return
          this.#connected.delete(event.addr)
          this.#times.note(event.addr)
        },
        ['client-connected', 'client-gone'],
      ),
      deps.cluster.feed.onRemote(
        ({ event }) => {
          if (event.type === 'client-gone') this.#remote.set(event.addr, deps.clock.now())
        },
        ['client-gone'],
      ),
      everySeconds(connectedSeconds, () => this.#noteConnected()),
    ]
  }

  /** To be called before agents connect. */
  load(): Promise<void> {
    return this.#times.load()
  }

  /** By address, in milliseconds since 1970; connected computers are seen now. */
  async times(): Promise<ReadonlyMap<string, number>> {
    const { clock, fleet } = this.#deps
    const times = await this.#times.times()
    for (const [addr, time] of this.#remote) setLater(times, addr, time)
    const now = clock.now()
    for (const { addr, status } of fleet.clients()) if (status !== undefined) times.set(addr, now)
    return times
  }

  /** Resolves when everything is stored, also that agents were connected until now. */
  async close(): Promise<void> {
    for (const stop of this.#stop) stop()
    this.#noteConnected()
    await this.#times.close()
  }

  #noteConnected(): void {
    for (const addr of this.#connected) this.#times.note(addr)
  }
}
