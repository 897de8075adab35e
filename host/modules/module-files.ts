// Lists the module files of a folder.
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { message } from '../log/log.ts'
import { isNotFound } from '../system/file-system.ts'
import { forEachTimeSliced } from '../system/time-slices.ts'
import type { ModulePlace } from './checked.ts'
import { tickMilliseconds } from './timing.ts'

/** A folder of command files. */
export interface Folder {
  path: string
  /** `built-in`, or the path of a site's folder. */
  origin: string
}

/** A module file in a command folder, or in the folder of a pack in it. */
export interface FoundFile {
  file: string
  /** That of the command folder. */
  origin: string
  isInPack?: boolean
}

const extensions = new Set(['.ts', '.mts', '.js', '.mjs'])

/** Whether a file directly in a command folder is a command, by its name. */
export function isModuleFile(name: string): boolean {
  return extensions.has(extname(name)) && !/^[_.]|\.d\.m?ts$|\.test\.\w+$/.test(name)
}

export function placeOf(file: string, isInPack = false): ModulePlace {
  const stem = basename(file, extname(file))
  const pack = isInPack ? basename(dirname(file)) : stem
  const isPackFile = isInPack && stem === 'pack'
  return { name: isPackFile ? pack : stem, pack, isPackFile, isInPack }
}

/** `brokenLinks` have the names of modules or folders, and may lead to files later. */
interface Listing {
  files: string[]
  folders: string[]
  brokenLinks: string[]
}

/** The module files directly in a folder, and the folders in it that may be packs, sorted; none when it does not exist. */
export async function listModuleFiles(folder: string): Promise<Listing | { problem: string }> {
  const listing: Listing = { files: [], folders: [], brokenLinks: [] }
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    await forEachTimeSliced(entries, tickMilliseconds, entry => {
      const path = join(folder, entry.name)
      const isModule = isModuleFile(entry.name)
      const isFolder = isPackFolder(entry.name)
      // Links are followed.
      const stats = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry
      if (!stats && (isModule || isFolder)) listing.brokenLinks.push(path)
      // Only regular files, because reading a pipe or a device may block.
      if (isModule && stats?.isFile()) listing.files.push(path)
      if (isFolder && stats?.isDirectory()) listing.folders.push(path)
    })
  } catch (error) {
    if (!isNotFound(error, ['ENOTDIR'])) return { problem: `cannot be read: ${message(error)}` }
  }
  listing.files.sort()
  listing.folders.sort()
  return listing
}

/** Whether a folder in a command folder may have a `pack.ts`, by its name. */
const isPackFolder = (name: string) => !/^[_.]|^node_modules$|\.\w+$/.test(name)
