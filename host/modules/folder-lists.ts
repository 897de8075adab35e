// What the command folders hold, and the folders of packs in them.
import { dirname } from 'node:path'
import type { Log } from '../log/log.ts'
import { type Folder, type FoundFile, listModuleFiles, placeOf } from './module-files.ts'

/** Folders in one command folder that are searched for packs. */
const maxFolders = 1000

export class FolderLists {
  readonly #folders: readonly Folder[]
  readonly #log: Pick<Log, 'warn'>
  /** Why folders cannot be read, by path. */
  readonly #problems = new Map<string, string>()
  /** Paths that the last list has found, and that later ones may find changed: folders that are or may become packs, links that lead nowhere. */
  #packFolders: string[] = []
  #brokenLinks = new Map<string, readonly string[]>()

  constructor(folders: readonly Folder[], log: Pick<Log, 'warn'>) {
    this.#folders = folders
    this.#log = log
  }

  /** All module files. `known`: those of before, which stay when their folder cannot be read. */
  async list(known: readonly FoundFile[]): Promise<FoundFile[]> {
    const found: FoundFile[] = []
    const packFolders: string[] = []
    for (const { path, origin } of this.#folders) {
      const listing = await this.#listFolder(path)
      // The packs in it are known by their files.
      const folders = listing?.folders.slice(0, maxFolders) ?? foldersOf(known, path)
      if (listing) found.push(...listing.files.map(file => ({ file, origin })))
      else found.push(...known.filter(({ file }) => dirname(file) === path))
      for (const folder of folders) found.push(...(await this.#listPack(folder, origin, known)))
      packFolders.push(...folders)
    }
    this.#packFolders = packFolders
    return found
  }

  /** The folders, to be watched. */
  *directories(): Iterable<string> {
    for (const { path } of this.#folders) yield path
    yield* this.#packFolders
  }

  /** All paths that the last list has looked at, besides the files. */
  *paths(): Iterable<string> {
    yield* this.directories()
    for (const links of this.#brokenLinks.values()) yield* links
  }

  /** None for a folder without a `pack.ts`. */
  async #listPack(path: string, origin: string, known: readonly FoundFile[]): Promise<FoundFile[]> {
    const listing = await this.#listFolder(path)
    if (!listing) return known.filter(({ file }) => dirname(file) === path)
    const isPack = listing.files.some(file => placeOf(file, true).isPackFile)
    return isPack ? listing.files.map(file => ({ file, origin, isInPack: true })) : []
  }

  /** Undefined for a folder that cannot be read, which is logged once. */
  async #listFolder(path: string) {
    const listing = await listModuleFiles(path)
    if ('problem' in listing) {
      if (this.#problems.get(path) !== listing.problem) this.#log.warn('modules', `${path}: ${listing.problem}`)
      this.#problems.set(path, listing.problem)
      return undefined
    }
    this.#problems.delete(path)
    this.#brokenLinks.set(path, listing.brokenLinks)
    return listing
  }
}

const foldersOf = (known: readonly FoundFile[], path: string): string[] => [
  ...new Set(known.flatMap(({ file, isInPack }) => (isInPack && dirname(dirname(file)) === path ? dirname(file) : []))),
]
