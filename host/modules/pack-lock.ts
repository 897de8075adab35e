// The file pack.lock of a site's folder: the digests of the packs in it that somebody has approved.
import { readFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { message } from '../log/log.ts'
import { fingerprintOf } from '../system/file-states.ts'
import { isNotFound } from '../system/file-system.ts'
import { replaceFile } from '../system/replace-file.ts'
import type { Fingerprints } from './bundle.ts'
import type { ModulePlace } from './checked.ts'
import { digestOf, readPackFiles } from './pack-files.ts'

interface LockedPack {
  version: string
  digest: string
}

type Lock = Map<string, LockedPack>

export const lockFileOf = (folder: string): string => join(folder, 'pack.lock')

/** Throws for a file that is no lock; without one nothing is locked. */
export function readLock(folder: string): Lock {
  try {
    const content: unknown = JSON.parse(readFileSync(lockFileOf(folder), 'utf8'))
    const entries = Object.entries(content ?? {})
    if (typeof content === 'object' && !Array.isArray(content) && entries.every(([, each]) => isLocked(each)))
      return new Map(entries)
  } catch (error) {
    if (isNotFound(error)) return new Map()
    throw new Error(`${lockFileOf(folder)}: cannot be read: ${message(error)}`)
  }
  throw new Error(`${lockFileOf(folder)}: expected {"NAME": {"version": …, "digest": …}}, got something else`)
}

const isLocked = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'digest' in entry && typeof entry.digest === 'string'

/** Sets the entry of a pack, or deletes it; one line for each, for comparisons of versions. */
export function updateLock(folder: string, pack: string, entry: LockedPack | undefined): void {
  const lock = readLock(folder)
  if (entry) lock.set(pack, entry)
  else if (!lock.delete(pack)) return
  const lines = [...lock].sort(([a], [b]) => (a < b ? -1 : 1)).map(entry => `  ${entry.map(toJson).join(': ')}`)
  replaceFile(lockFileOf(folder), lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`, {
    mode: 0o644,
    flush: true,
  })
}

const toJson = (value: unknown) => JSON.stringify(value)

/** What follows for a file that may only be loaded when its pack is locked: why it is refused, and what that depends on. */
export interface LockResult {
  refusal?: string
  inputs: Fingerprints
}

/**
 * `read`: the files that would be run, with their fingerprints from before they were read. They are the approved ones
 * when they are as they were after the digest is known.
 */
export async function checkLock(file: string, place: ModulePlace, read: Fingerprints): Promise<LockResult> {
  const { pack, isInPack } = place
  const folder = dirname(isInPack ? dirname(file) : file)
  const lockFile = lockFileOf(folder)
  const seen = new Map([[lockFile, fingerprintOf(lockFile)]])
  const toResult = (problem?: string): LockResult => ({
    ...(problem !== undefined && { refusal: `refused by commands_locked: ${problem}` }),
    inputs: { ...Object.fromEntries(seen), ...read },
  })
  if (!isInPack) return toResult(`expected a pack that is in ${lockFile}, got a file outside of packs`)
  const approve = `after a review: fleet pack lock ${pack}`
  try {
    const locked = readLock(folder).get(pack)
    const files = await readPackFiles(dirname(file), seen)
    if (!locked) return toResult(`expected the pack ${pack} in ${lockFile}, got no entry; ${approve}`)
    const digest = digestOf(files)
    if (digest !== locked.digest)
      return toResult(`expected the digest of ${pack} in ${lockFile}, got ${digest.slice(0, 15)}…; ${approve}`)
    const folders = [dirname(file), await realpath(dirname(file))]
    const foreign = Object.keys(read).find(input => !folders.some(one => files.has(relative(one, input))))
    if (foreign !== undefined) return toResult(`expected imports of files of the pack, got ${foreign}`)
  } catch (error) {
    return toResult(message(error))
  }
  const changed = Object.entries(read).find(([input, fingerprint]) => fingerprint !== fingerprintOf(input))
  return toResult(changed && `${changed[0]} changed while it was checked`)
}
