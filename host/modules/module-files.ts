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

/** `brokenLinks` have the names of commands, and may lead to regular files later. */
type FolderListing = { files: string[]; brokenLinks: string[] } | { problem: string }

/** The command files directly in a folder, sorted; none when the folder does not exist. */
export async function listModuleFiles(folder: string): Promise<FolderListing> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const files: string[] = []
    const brokenLinks: string[] = []
    await forEachTimeSliced(entries, tickMilliseconds, entry => {
      if (!isModuleFile(entry.name)) return
      const file = join(folder, entry.name)
      // Links are followed. Only regular files, because reading a pipe or a device may block.
      if (entry.isFile() || (entry.isSymbolicLink() && isRegularFile(file))) files.push(file)
      else if (entry.isSymbolicLink()) brokenLinks.push(file)
    })
    files.sort()
    return { files, brokenLinks }
  } catch (error) {
    return isNotFound(error, ['ENOTDIR'])
      ? { files: [], brokenLinks: [] }
      : { problem: `cannot be read: ${message(error)}` }
  }
}

const isRegularFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true
