// What follows from one file whose default export passed its checks, before the loader adds where it came from.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { LoadedFile, LoadedPack } from '../contract/loaded-file.ts'
import type { LoadedHook, LoadedView } from '../contract/loaded-module.ts'

/** Which file it is. */
export interface ModulePlace {
  /** The file's name without its extension; of a `pack.ts` that of its folder. */
  name: string
  pack: string
  isPackFile: boolean
  /** Whether it is in a folder with a `pack.ts`. */
  isInPack: boolean
}

type Checked<Loaded extends LoadedFile> = Omit<Loaded, keyof LoadedFile | 'ownPack'>

export type CheckedCommand = Checked<LoadedCommand>
export type CheckedHook = Checked<LoadedHook>
export type CheckedView = Checked<LoadedView>
export type CheckedPack = Checked<LoadedPack>
export type CheckedModule = CheckedCommand | CheckedHook | CheckedView | CheckedPack

/** `ownPack`: of a file outside of packs that is a pack of its own. */
export interface CheckedFile {
  module: CheckedModule
  ownPack?: CheckedPack
  /** For the log: what its author should change in time. */
  notice?: string
}
