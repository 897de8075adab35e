// What every module file that passed its checks has, and the pack that it belongs to or is.
import type { Pack } from './pack.ts'

/** Returns why a value does not match a schema, undefined when it matches. */
export type Check = (value: unknown) => string | undefined

/** One version of one module file. */
export interface LoadedFile {
  /** The file's name without its extension; of a pack that of its folder. While two hooks or two views have one, it is the id. */
  name: string
  /** `<pack>/<file>`: always unique among the files of a kind, and the same for all versions of the file. */
  id: string
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

/** Of a folder: its `pack.ts`. Of a file outside of packs that declares settings or collections, and of each such hook: that file. */
export interface LoadedPack extends LoadedFile {
  kind: 'pack'
  declared: DeclaredPack
  checkSettings: Check | undefined
  /** By the names of the collections. */
  checkDocuments: ReadonlyMap<string, Check>
}

type DeclaredPack = Omit<Pack<object, Readonly<Record<string, object>>>, 'contract' | 'version'> & {
  contract?: 2 | 3
  /** Absent of a file outside of packs. */
  version?: string
}

/** A file that is no `pack.ts`. */
export interface ModuleFile extends LoadedFile {
  /** Of a file outside of packs that is a pack of its own. */
  ownPack?: LoadedPack
}
