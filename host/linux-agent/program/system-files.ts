// Reads the files of the system, such as those of /sys, below a folder that tests replace.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SystemFiles {
  /** The text without blanks at both ends; '' when the file is missing or cannot be read. */
  read(path: string): string
  /** The names in a folder, sorted; none when it cannot be read. */
  list(path: string): string[]
  exists(path: string): boolean
  /** The path below the folder. */
  path(path: string): string
}

export function createSystemFiles(root: string): SystemFiles {
  return {
    read(path) {
      try {
        return readFileSync(join(root, path), 'utf8').replaceAll('\0', '').trim()
      } catch {
        return ''
      }
    },
    list(path) {
      try {
        return readdirSync(join(root, path)).sort()
      } catch {
        return []
      }
    },
    exists: path => existsSync(join(root, path)),
    path: path => join(root, path),
  }
}
