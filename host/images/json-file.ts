// A small JSON file of the daemon's own, replaced as a whole: a reader never sees half of it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Log, message } from '../log/log.ts'
import { isNotFound } from '../system/fs-errors.ts'

/** `fallback` when the file does not exist, or when it is damaged, which is logged. */
export function readJsonFile<Value>(
  path: string,
  fallback: Value,
  isValid: (value: unknown) => boolean,
  log: Log,
): Value {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    // `as`: `isValid` has checked it.
    if (isValid(value)) return value as Value
    log.warn('images', `${path}: expected content of this program, got other JSON: ignored`)
  } catch (error) {
    if (!isNotFound(error)) log.warn('images', `${path}: cannot be read, ignored: ${message(error)}`)
  }
  return fallback
}

/** Throws the system's error. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(value))
  renameSync(`${path}.new`, path)
}
