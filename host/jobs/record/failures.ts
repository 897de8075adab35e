// The failures that nobody has seen: of each command on each client, until it succeeds there or a command ends them.
import type { Store } from '../../../stores/store.ts'
import type { JobsCluster } from '../../cluster/cluster.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import type { FailureEntry, FailuresService } from '../../contract/services.ts'
import type { Clock } from '../../system/clock.ts'
import type { FleetEvent } from '../../system/events.ts'
import { type FailureList, readFailures } from './read-failures.ts'
import { type FindCommand, stoppedBy } from './stopped-by.ts'

interface FailuresDeps {
  store: Pick<Store, 'jobs' | 'computers'>
  clock: Clock
  cluster: Pick<JobsCluster, 'feed'>
  registry: { readonly commands: readonly LoadedCommand[]; find: FindCommand }
}

/** What changes the failures. A computer that gets another address is removed and added. */
const types = ['job-part', 'computer-added', 'computer-removed'] as const

export class Failures implements FailuresService {
  readonly #deps: FailuresDeps
  /** Undefined until somebody asks, and after events were lost: they are read from the store then. */
  #failures: Promise<FailureList> | undefined

  constructor(deps: FailuresDeps) {
    this.#deps = deps
    const { feed } = deps.cluster
    feed.on(({ event }) => this.#follow(event), types)
    feed.onGap(() => {
      this.#failures = undefined
    })
  }

  async list() {
    this.#failures ??= this.#read()
    return Array.from(await this.#failures, (failure): FailureEntry => {
      const stopped = stoppedBy(failure, name => this.#deps.registry.find(name))
      return stopped === undefined ? failure : { ...failure, stopped }
    })
  }

  #read(): Promise<FailureList> {
    const read = readFailures(this.#deps.store, this.#endingCommands())
    read.catch(() => {
      if (this.#failures === read) this.#failures = undefined
    })
    return read
  }

  #endingCommands(): string[] {
    return this.#deps.registry.commands.filter(({ command }) => command.endsFailures).map(({ name }) => name)
  }

  /** Events that come while the store is read are applied after that, in their order. */
  #follow(event: FleetEvent): void {
    // A deleted one that is back has the failures that it had: they are in its jobs.
    if (event.type === 'computer-added') this.#failures = undefined
    if (!this.#failures) return
    const now = this.#deps.clock.now()
    void this.#failures.then(
      failures => this.#apply(failures, event, now),
      () => {},
    )
  }

  #apply(failures: FailureList, event: FleetEvent, ended: number): void {
    if (event.type === 'computer-removed') {
      for (const { ip } of event.computers) failures.end(ip)
    }
    if (event.type !== 'job-part') return
    const { addr: client, command, job, state, reason = '' } = event
    if (state === 'failure') failures.add({ client, command, job, reason, ended })
    else if (state === 'success') failures.end(client, this.#endingCommands().includes(command) ? undefined : command)
  }
}
