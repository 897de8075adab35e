// Creates files and folders with modes of their own, whatever the umask is, and recognizes errors of the file system.
import { chmodSync, closeSync, fchmodSync, fstatSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const dataFolderMode = 0o700
// For programs of other users, such as a TFTP server.
const publicFileMode = 0o644
const publicFolderMode = 0o755

/** Creates the data folder, option `store.path`, which only the daemon's user may read; one that is there stays as it is. */
export function createDataFolder(path: string): void {
  const first = mkdirSync(resolve(path), { recursive: true })
  if (first === undefined) return
  // The mode of `mkdirSync` would also apply to the folders above.
  chmodSync(path, dataFolderMode)
  // What is acknowledged in the folder is lost with its name.
  for (let folder = resolve(path); folder !== dirname(first); folder = dirname(folder)) syncFolder(dirname(folder))
}

/** Makes created, renamed and removed names in the folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } catch (error) {
    // Some file systems cannot do it.
    if (!hasCode(error, 'EINVAL')) throw error
  } finally {
    closeSync(folder)
  }
}

/** Creates a folder and those above it; existing ones keep their mode. */
export function makePublicFolder(path: string): void {
  const target = resolve(path)
  const first = mkdirSync(target, { recursive: true })
  if (first === undefined) return
  for (let folder = target; folder !== dirname(first); folder = dirname(folder)) chmodSync(folder, publicFolderMode)
}

/** Throws when the file exists. */
export function writePublicFile(path: string, text: string | Buffer): void {
  const file = openSync(path, 'wx', publicFileMode)
  try {
    writeFileSync(file, text)
    if ((fstatSync(file).mode & publicFileMode) !== publicFileMode) fchmodSync(file, publicFileMode)
  } finally {
    closeSync(file)
  }
}

/** True when no file has that name: ENOENT, and `alsoCodes` where the caller treats more codes the same way. */
export function isNotFound(error: unknown, alsoCodes: readonly string[] = []): boolean {
  return hasCode(error, 'ENOENT', ...alsoCodes)
}

/** True for an error with one of these codes, such as EEXIST. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** True when the disk, or what its user may have of it, is full. */
export const isFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT')
export const noSpace = (folder: string): string => `no space left in ${folder}`
