// A module file of any kind that passed its checks: what the rest of the host knows of it.
import type { Hook } from './hook.ts'
import type { Check, LoadedCommand, LoadedFile } from './loaded-command.ts'
import type { Pack } from './pack.ts'
import type { View } from './view.ts'

export interface LoadedHook extends LoadedFile {
  kind: 'hook'
  hook: Hook
}

export interface LoadedView extends LoadedFile {
  kind: 'view'
  view: View
}

/** Of a folder: its `pack.ts`. Of a file outside of packs that declares settings or collections: that file. */
export interface LoadedPack extends LoadedFile {
  kind: 'pack'
  declared: Omit<Pack<object, Readonly<Record<string, object>>>, 'contract'> & { contract?: 3 }
  checkSettings: Check | undefined
  /** By the names of the collections. */
  checkDocuments: ReadonlyMap<string, Check>
}

export type LoadedModule = LoadedCommand | LoadedHook | LoadedView | LoadedPack
