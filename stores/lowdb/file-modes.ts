// Modes of the store's files and folders: only the daemon's user may read what they contain.
import type { Stats } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreLog } from '../store.ts'

export const fileMode = 0o600
export const folderMode = 0o700

/** The access of group and others. */
const othersAccess = 0o077
/** The part of it that lets others enter a folder whose name they know. */
const othersEntry = 0o011

const ownFile = /^((snapshot|journal|outputs)\.\d+(\.tmp)?|lock)$/
const ownFolder = /^before-repair\.\d+$/

/**
 * Removes the access of others to what earlier versions have created, with one log line. Others may still enter the folder,
 * but not list it, when it contains folders that are not the store's: boot files and images have readers of their own.
 * Leaves alone what belongs to another user; failures are warnings.
 */
export async function restrictAccess(path: string, log: StoreLog): Promise<void> {
  let hasOtherFolders = false
  let files = 0
  try {
    for (const name of await readdir(path)) {
      const entry = join(path, name)
      const stats = await lstat(entry)
      const isOwn = stats.isDirectory() ? ownFolder.test(name) : stats.isFile() && ownFile.test(name)
      if (isOwn && (await restrict(entry, stats, othersAccess, log))) files += 1
      hasOtherFolders ||= stats.isDirectory() && !isOwn
    }
    const removed = hasOtherFolders ? othersAccess & ~othersEntry : othersAccess
    const folder = await restrict(path, await lstat(path), removed, log)
    const what = [...(folder ? ['the folder'] : []), ...(files > 0 ? [`${files} files in it`] : [])].join(' and ')
    if (what !== '') log.info('store', `${path}: others could read ${what}, now only the owner can`)
  } catch (error) {
    log.warn('store', `${path}: could not restrict access: ${error instanceof Error ? error.message : error}`)
  }
}

/** Resolves to whether the mode was changed. */
async function restrict(entry: string, { mode, uid }: Stats, removed: number, log: StoreLog): Promise<boolean> {
  if ((mode & removed) === 0 || uid !== process.getuid?.()) return false
  try {
    await chmod(entry, mode & 0o7777 & ~removed)
    return true
  } catch (error) {
    log.warn('store', `could not restrict access: ${error instanceof Error ? error.message : error}`)
    return false
  }
}
