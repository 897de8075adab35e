// A module file of any kind that passed its checks: what the rest of the host knows of it.
import type { Hook } from './hook.ts'
import type { LoadedCommand } from './loaded-command.ts'
import type { LoadedPack, ModuleFile } from './loaded-file.ts'
import type { View } from './view.ts'

export type { LoadedPack } from './loaded-file.ts'

export interface LoadedHook extends ModuleFile {
  kind: 'hook'
  hook: Hook
  /** Milliseconds between two runs, of `every`. */
  interval?: number
  /** When it runs next after a time, of `cron`; both in milliseconds since 1970. */
  nextTime?: (after: number) => number | undefined
}

export interface LoadedView extends ModuleFile {
  kind: 'view'
  view: View
}

/** The default export of one file. */
export type LoadedModule = LoadedCommand | LoadedHook | LoadedView | LoadedPack
