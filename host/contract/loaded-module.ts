// A module file of any kind that passed its checks: what the rest of the host knows of it.
import type { Hook } from './hook.ts'
import type { Check, LoadedCommand } from './loaded-command.ts'
import type { Pack } from './pack.ts'
import type { View } from './view.ts'

/** One version of one file. */
export interface LoadedFile {
  /** The file's name without its extension; `<pack>/<file>` in packs whose file's name is not unique among its kind. */
  name: string
  /** The name of the folder with a `pack.ts`; a file outside of packs is a pack of its own, by its name. */
  pack: string
  file: string
  /** `built-in`, or the path of the site's folder. */
  origin: string
  /** Counts the versions of the file from 1. */
  version: number
  /** A fingerprint of the file with its imports: equal on all hosts that have the same version. */
  digest: string
  loadedAt: Date
}

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
