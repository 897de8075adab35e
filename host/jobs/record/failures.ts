// The failures that nobody has seen: of each command on each client, until it succeeds there or a command ends them.
import { createHash } from 'node:crypto'
import type { Store } from '../../../stores/store.ts'
import type { JobsCluster } from '../../cluster/cluster.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import type { FailureEntry, FailuresService } from '../../contract/services.ts'
import type { Clock } from '../../system/clock.ts'
import type { FleetEvent } from '../../system/events.ts'
import { type FailureList, type RunOf, readFailures } from './read-failures.ts'
import { type FindCommand, stoppedBy } from './stopped-by.ts'

interface FailuresDeps {
  store: Pick<Store, 'jobs' | 'computers'>
  clock: Clock
  cluster: Pick<JobsCluster, 'feed'>
  registry: { readonly commands: readonly LoadedCommand[]; find: FindCommand }
}

type PartEvent = Extract<FleetEvent, { type: 'job-part' }>

/** What changes the failures. A computer that gets another address is removed and added. */
const types = ['job-part', 'computer-added', 'computer-removed'] as const

export class Failures implements FailuresService {
  readonly #deps: FailuresDeps
  /** Undefined until somebody asks, and after events were lost: they are read from the store then. */
  #failures: Promise<FailureList> | undefined
  /** Of the job whose parts came last, as the parts of a job come together. */
  #runs: { job: number; ofSteps: string[] } = { job: 0, ofSteps: [] }

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
    return this.#forgetOnError(readFailures(this.#deps.store, this.#endingCommands(), this.#runOf))
  }

  /** They are read again when somebody asks. */
  #forgetOnError(failures: Promise<FailureList>): Promise<FailureList> {
    failures.catch(() => {
      if (this.#failures === failures) this.#failures = undefined
    })
    return failures
  }

  #endingCommands(): string[] {
    return this.#deps.registry.commands.filter(({ command }) => command.endsFailures).map(({ name }) => name)
  }

  readonly #runOf: RunOf = ({ command, payload }) => {
    try {
      return digest(this.#deps.registry.find(command)?.command.sameRun?.({ payload }))
    } catch {
      // A payload of an earlier version of its module.
      return ''
    }
  }

  /** Events that come while the store is read are applied after that, in their order. */
  #follow(event: FleetEvent): void {
    // A deleted one that is back has the failures that it had: they are in its jobs.
    if (event.type === 'computer-added') this.#failures = undefined
    if (!this.#failures) return
    const now = this.#deps.clock.now()
    const applied = this.#failures.then(async failures => {
      await this.#apply(failures, event, now)
      return failures
    })
    this.#failures = this.#forgetOnError(applied)
  }

  async #apply(failures: FailureList, event: FleetEvent, ended: number): Promise<void> {
    if (event.type === 'computer-removed') {
      for (const { ip } of event.computers) failures.end(ip)
    }
    if (event.type !== 'job-part') return
    const { addr: client, command, job, state, reason = '' } = event
    if (state === 'failure') failures.add({ client, command, run: await this.#runOfPart(event), job, reason, ended })
    if (state !== 'success' || !failures.has(client)) return
    if (this.#endingCommands().includes(command)) failures.end(client)
    else failures.end(client, command, await this.#runOfPart(event))
  }

  async #runOfPart({ command, job, step }: PartEvent): Promise<string> {
    if (!this.#deps.registry.find(command)?.command.sameRun) return ''
    if (this.#runs.job !== job) {
      const found = await this.#deps.store.jobs.find(job)
      this.#runs = { job, ofSteps: found?.steps.map(this.#runOf) ?? [] }
    }
    return this.#runs.ofSteps[step] ?? ''
  }
}

const digest = (text = '') => text && createHash('sha256').update(text).digest('base64url').slice(0, 16)
