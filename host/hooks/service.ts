// Hooks as commands ask for them: their list with the runs of each, and what administrators do with them.

import type { JobsCluster } from '../cluster/cluster.ts'
import type { LoadedHook } from '../contract/loaded-module.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { HookEntry, HooksService, Refusal } from '../contract/services.ts'
import type { ModuleRuns } from '../modules/module-runs.ts'
import { explainUnknown } from '../modules/namesakes.ts'
import type { Registry } from '../modules/registry.ts'
import type { Clock } from '../system/clock.ts'
import type { HookRunner } from './hook-runner.ts'
import type { Pause } from './hook-states.ts'
import { isTimer } from './hook-timers.ts'
import { Hooks, type HooksDeps } from './hooks.ts'

interface HooksServiceDeps {
  hooks: Hooks
  registry: Pick<Registry, 'hooks' | 'findHook'>
  runs: ModuleRuns
  clock: Clock
}

export function createHooks(
  deps: Omit<HooksDeps, 'cluster' | 'contextOf'> & {
    registry: HooksServiceDeps['registry']
  },
  cluster: JobsCluster,
  contextOf: HooksDeps['contextOf'],
) {
  const hooks = new Hooks({ ...deps, cluster, contextOf })
  return { hooks, hooksService: createHooksService({ ...deps, hooks }) }
}

function createHooksService({ hooks, registry, runs, clock }: HooksServiceDeps): HooksService {
  const find = (name: string): LoadedHook | Refusal =>
    registry.findHook(name) ?? refuse(explainUnknown('hook', name, registry.hooks))

  function entryOf(loaded: LoadedHook, runner: HookRunner): HookEntry {
    const isHere = hooks.runsHere(runner)
    const { position } = runner
    const pause = hooks.pauses.of(loaded.id)
    const { lastRun, lastError, due } = isHere ? position : knownElsewhere(loaded, pause, clock.now())
    const state = pause || isHere || loaded.hook.before ? runner.state : 'elsewhere'
    const times = runs.times(loaded.name, clock.now())
    return {
      ...declarationOf(loaded),
      state,
      ...pausedOf(pause),
      waiting: position.waiting,
      runs: runs.counts(loaded.name).runs,
      failures: runs.counts(loaded.name).failures,
      ...(lastRun !== undefined && { last_run: iso(lastRun) }),
      ...(lastError !== undefined && { last_error: lastError }),
      ...(due !== undefined && !pause && { next_run: iso(due) }),
      ...(times && { mean_ms: rounded(times.mean), longest_ms: rounded(times.longest) }),
    }
  }

  return {
    list() {
      const entries = registry.hooks.flatMap(loaded => {
        const runner = hooks.runners.get(loaded.id)
        return runner ? entryOf(loaded, runner) : []
      })
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    run(name, time) {
      const loaded = find(name)
      if (isRefusal(loaded)) return loaded
      if (!isTimer(loaded)) return refuse(`hook: expected one with every or cron, got ${name}`)
      if (hooks.pauses.of(loaded.id)) return refuse(`hook: ${name} is paused`)
      hooks.run(loaded.id, time)
      return undefined
    },
    async pause(name, by) {
      const loaded = find(name)
      if (isRefusal(loaded)) return loaded
      await hooks.pauses.set(loaded.id, { since: clock.now(), reason: by })
      return undefined
    },
    async resume(name) {
      const loaded = find(name)
      if (isRefusal(loaded)) return loaded
      await hooks.pauses.set(loaded.id, undefined)
      return undefined
    },
  }
}

const iso = (time: number) => new Date(time).toISOString()
const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10

/** Of a hook that another host runs: that one stores the times of its runs late. */
const knownElsewhere = ({ nextTime }: LoadedHook, pause: Pause | undefined, now: number) => ({
  lastRun: undefined,
  lastError: pause?.digest === undefined ? undefined : pause.reason,
  due: nextTime?.(now),
})

const pausedOf = (pause: Pause | undefined) =>
  pause && { paused_since: iso(pause.since), paused_by: pause.digest === undefined ? pause.reason : 'failures' }

function declarationOf({ name, file, pack, hook }: LoadedHook) {
  const { summary, on, every, cron, before, each } = hook
  const kind = on ? 'on' : before ? 'before' : every === undefined ? 'cron' : 'every'
  return {
    name,
    summary,
    file,
    pack,
    kind,
    ...(on && { on: [...on] }),
    ...(every !== undefined && { every }),
    ...(cron !== undefined && { cron }),
    ...(before && { before: [...before] }),
    ...(each && { each }),
  } as const
}
