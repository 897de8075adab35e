// A list that the daemon keeps in a small JSON file, replaced as a whole: a reader never sees half of it.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Log, message } from '../log/log.ts'
import { isNotFound } from '../system/file-system.ts'
import { removeFile, replaceFile } from '../system/replace-file.ts'

/** Empty when the file does not exist, or when it is damaged, which is logged. */
export function readList<Entry>(path: string, log: Log): Entry[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    // `as`: only the daemon writes the file.
    if (Array.isArray(value)) return value as Entry[]
    log.warn('images', `${path}: expected a list of this program, got other JSON: ignored`)
  } catch (error) {
    if (!isNotFound(error)) log.warn('images', `${path}: cannot be read, ignored: ${message(error)}`)
  }
  return []
}

/** It is on the disk when this returns. Throws the system's error. */
export function writeList(path: string, entries: readonly unknown[]): void {
  mkdirSync(dirname(path), { recursive: true })
  // A full disk has no space for an empty list.
  if (entries.length === 0) removeFile(path)
  else replaceFile(path, JSON.stringify(entries), { mode: 0o666, flush: true })
}
