// One run of a hook: with a time limit, measured and counted.
import type { HookEvent } from '../contract/hook.ts'
import type { LoadedHook } from '../contract/loaded-module.ts'
import type { Collection } from '../contract/pack.ts'
import type { Awaitable, Services } from '../contract/services.ts'
import { type ModuleRuns, measureBusyTime } from '../modules/module-runs.ts'
import type { Clock } from '../system/clock.ts'

/** What all functions of a hook are called with. */
export interface HookContext {
  settings: Readonly<Record<string, unknown>>
  collections: Readonly<Record<string, Collection>>
  services: Services
}

export interface HookRunDeps {
  clock: Clock
  runs: ModuleRuns
  contextOf(loaded: LoadedHook): HookContext
}

/** After this a run has failed; what it does then has no effect on the hook. */
const runMilliseconds = 30_000

/** Rejects when the hook throws, rejects, or takes too long. */
export async function runHook(
  loaded: LoadedHook,
  events: readonly HookEvent[] | undefined,
  { clock, runs, contextOf }: HookRunDeps,
): Promise<void> {
  const busyTime = measureBusyTime()
  const count = (result: 'success' | 'failure') => runs.add(loaded.name, result, busyTime(), clock.now())
  try {
    await within(clock, () => call(loaded, events, contextOf(loaded)))
    count('success')
  } catch (error) {
    count('failure')
    throw error
  }
}

function call({ hook }: LoadedHook, events: readonly HookEvent[] | undefined, context: HookContext): Awaitable<void> {
  if (!('run' in hook)) return
  return hook.run({ ...context, events: events ?? [] })
}

function within(clock: Clock, run: () => Awaitable<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const seconds = runMilliseconds / 1000
    const cancel = clock.after(runMilliseconds, () => reject(new Error(`run: expected an end within ${seconds} s`)))
    const settle = async () => run()
    settle().then(resolve, reject).finally(cancel)
  })
}
