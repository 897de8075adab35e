// The hooks of this host: which there are, which of them run here, and what they get.
import type { Store } from '../../stores/store.ts'
import type { Audit } from '../access/audit.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { LoadedHook } from '../contract/loaded-module.ts'
import type { Log } from '../log/log.ts'
import type { ModuleRuns } from '../modules/module-runs.ts'
import type { Registry } from '../modules/registry.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import { inBackground } from './attempt.ts'
import { Decisions } from './decisions.ts'
import { findForgotten, findUnseen } from './forgotten-hooks.ts'
import { HookInputs } from './hook-inputs.ts'
import { HookPauses } from './hook-pauses.ts'
import type { HookContext } from './hook-run.ts'
import { HookRunner, type RunnerDeps } from './hook-runner.ts'
import { HookStates, hostOf, idOf } from './hook-states.ts'
import { HookTimers } from './hook-timers.ts'
import { StoredFeed } from './stored-feed.ts'

export interface HooksDeps {
  store: Pick<Store, 'documents' | 'storedEvents'>
  registry: Pick<Registry, 'hooks' | 'onChange' | 'find'>
  events: Events
  clock: Clock
  log: Log
  audit: Pick<Audit, 'add'>
  cluster: JobsCluster
  runs: ModuleRuns
  contextOf(loaded: LoadedHook): HookContext
}

/** A run that lasts longer when the daemon stops is done again after the start. */
const stopMilliseconds = 3000

/** Until a hook that another host has taken is asked for again. */
const conflictMilliseconds = 1000

export class Hooks {
  readonly states: HookStates
  readonly pauses: HookPauses
  readonly decisions: Decisions
  readonly #deps: HooksDeps
  readonly #runnerDeps: RunnerDeps
  readonly #inputs: HookInputs
  /** By the ids of the hooks. */
  readonly #runners = new Map<string, HookRunner>()
  readonly #unsubscribe: (() => void)[]
  #isActive = false

  constructor(deps: HooksDeps) {
    const { clock, log, cluster, registry, events } = deps
    this.#deps = deps
    this.decisions = new Decisions(deps)
    this.states = new HookStates(deps.store.documents)
    this.pauses = new HookPauses({ ...deps, states: this.states, onChange: () => this.#applyPauses() })
    const feed = new StoredFeed(deps.store.storedEvents)
    const failuresOf = (failed: string) => new FailureLog(log, { where: 'hooks', failed, succeeded: 'it does again' })
    this.#runnerDeps = {
      ...deps,
      states: this.states,
      feed,
      hasOtherHosts: cluster.key().name !== '',
      failures: failuresOf('the store does not keep how far hooks have come'),
      readFailures: failuresOf('the store does not say what has happened for hooks'),
      timers: new HookTimers(clock),
      isMember: () => cluster.isMember(),
      setPause: (key, pause) => this.pauses.setNow(idOf(key), pause),
      onRelease: () => void clock.after(conflictMilliseconds, () => this.#assign()),
    }
    const runsHere = (runner: HookRunner) => this.runsHere(runner)
    this.#inputs = new HookInputs({ ...deps, ...this.#runnerDeps, runners: this.#runners, runsHere })
    const assign = () => this.#assign()
    cluster.onMembersChange(assign)
    cluster.onWork(assign)
    this.#unsubscribe = [
      registry.onChange(() => this.#update()),
      events.on(
        event => {
          if (event.type === 'hook-changed') this.#onRequest(event)
        },
        ['hook-changed'],
      ),
    ]
  }

  get runners(): ReadonlyMap<string, HookRunner> {
    return this.#runners
  }

  /** Whether this host runs it. */
  runsHere({ key }: HookRunner): boolean {
    return isOfHost(key) || this.#deps.cluster.isLeader()
  }

  /** Reads which hooks there have been. To be called when modules are loaded. Rejects when the store does not answer. */
  async load(): Promise<void> {
    await this.pauses.load()
    for (const [key, state] of await this.states.list()) {
      if (key === this.#keyOf(idOf(key), isOfHost(key))) this.#runnerOf(idOf(key), key).position.restore(state)
    }
    this.#update()
  }

  /** To be called when jobs can be started. */
  start(): void {
    this.#isActive = true
    this.#assign()
    // Of several hosts another one may have the file already, or still.
    if (!this.#runnerDeps.hasOtherHosts)
      this.#unsubscribe.push(findForgotten(this.#runners, (id, file) => this.#forget(id, file)))
    const deps = { ...this.#deps, ...this.#runnerDeps, runners: this.#runners }
    this.#unsubscribe.push(findUnseen(deps, (key, file) => this.#forgetUnseen(key, file)))
  }

  /** Of `every` and `cron`: now or at `time`, on the host that runs it. */
  run(id: string, time?: number): void {
    this.#deps.events.emit({ type: 'hook-changed', hook: id, change: 'due', ...(time !== undefined && { time }) })
  }

  /** Starts no run any more. To be called before modules go out of service. */
  async stop(): Promise<void> {
    this.#isActive = false
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await Promise.all(Array.from(this.#runners.values(), runner => runner.stop(stopMilliseconds)))
  }

  /** Stores what waits. To be called when nothing happens any more. */
  async close(): Promise<void> {
    this.#inputs.close()
    for (const runner of this.#runners.values()) await runner.close()
    await this.pauses.close()
  }

  /** The versions in service have changed. */
  #update(): void {
    const { hooks } = this.#deps.registry
    const ids = new Set(hooks.map(({ id }) => id))
    for (const [id, runner] of this.#runners) if (runner.loaded && !ids.has(id)) this.#drop(id)
    for (const loaded of hooks)
      this.#runnerOf(loaded.id, this.#keyOf(loaded.id, loaded.hook.each === 'host')).load(loaded)
    this.#applyPauses()
    this.#inputs.update()
    this.#assign()
  }

  #keyOf(id: string, isOfHost: boolean): string {
    const { name } = this.#deps.cluster.key()
    return isOfHost && name !== '' ? `${id}@${name}` : id
  }

  #runnerOf(id: string, key: string): HookRunner {
    if (this.#runners.get(id)?.key !== key) this.#drop(id)
    const runner = this.#runners.get(id) ?? new HookRunner(key, this.#runnerDeps)
    this.#runners.set(id, runner)
    return runner
  }

  #forget(id: string, file: string): void {
    this.#deps.log.info('hook', `${file}: the hook is forgotten, as its file is gone`)
    this.#drop(id)
  }

  async #forgetUnseen(key: string, file: string): Promise<void> {
    const id = idOf(key)
    if (this.#runners.get(id)?.key === key) return this.#forget(id, file)
    const gone = isOfHost(key) ? `host ${hostOf(key)}` : 'its file'
    this.#deps.log.info('hook', `${file}: the hook is forgotten, as ${gone} is gone`)
    await this.states.drop(key)
  }

  /** Its file is gone. */
  #drop(id: string): void {
    const runner = this.#runners.get(id)
    if (!runner) return
    const isHere = this.runsHere(runner)
    this.#runners.delete(id)
    runner.release()
    const { failures } = this.#runnerDeps
    this.pauses.forget(id)
    if (isHere) inBackground(failures, () => this.states.drop(runner.key, id))
    this.#inputs.update()
  }

  /** Begins what this host is to run now, and ends what another one is to run. */
  #assign(): void {
    if (!this.#isActive) return
    for (const runner of this.#runners.values()) {
      if (!this.runsHere(runner)) runner.release()
      else inBackground(this.#runnerDeps.failures, () => runner.open())
    }
    this.#inputs.wake()
  }

  #onRequest({ hook, change, time }: { hook: string; change: 'paused' | 'due'; time?: number }): void {
    if (change === 'paused') return this.pauses.reload()
    const runner = this.#runners.get(hook)
    if (!runner || !this.runsHere(runner)) return
    if (time === undefined) runner.runNow()
    else runner.runAt(time)
  }

  #applyPauses(): void {
    for (const [id, runner] of this.#runners) runner.setPause(this.pauses.of(id))
    this.decisions.update(this.#runners)
  }
}

const isOfHost = (key: string) => hostOf(key) !== undefined
