// Lists the command files of the folders, and calls back when they may have changed.
import { type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { watch } from 'chokidar'
import { isNotFound } from '../system/fs-errors.ts'
import { type Log, message } from '../system/log.ts'
import { forEachTimeSliced } from '../system/time-slices.ts'

/** A folder of command files. */
export interface Folder {
  path: string
  /** `built-in`, or the path of a site's folder. */
  origin: string
}

/** Milliseconds of work in one tick, as a folder may have many thousand files. */
export const tickMilliseconds = 4

const extensions = new Set(['.ts', '.mts', '.js', '.mjs'])

/** Whether a file directly in a command folder is a command, by its name. */
export function isCommandFile(name: string): boolean {
  return extensions.has(extname(name)) && !/^[_.]|\.d\.m?ts$|\.test\.\w+$/.test(name)
}

/** The command files directly in a folder, sorted; none when the folder does not exist. */
export async function listCommandFiles(folder: string): Promise<{ files: string[] } | { problem: string }> {
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isCommandFile(name))
    const files: string[] = []
    await forEachTimeSliced(entries, tickMilliseconds, entry => {
      const file = join(folder, entry.name)
      // Links are followed. Only regular files, because reading a pipe or a device may block.
      if (entry.isFile() || (entry.isSymbolicLink() && isRegularFile(file))) files.push(file)
    })
    files.sort()
    return { files }
  } catch (error) {
    return isNotFound(error, ['ENOTDIR']) ? { files: [] } : { problem: `cannot be read: ${message(error)}` }
  }
}

const isRegularFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true

/** Differs for each content of a file, as far as the file system can show it. Links are followed. */
export function fingerprintOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : 'absent'
}

/** Milliseconds since a file was last written, infinite when it does not exist. */
export function ageOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? Date.now() - stats.mtimeMs : Number.POSITIVE_INFINITY
}

/** Waits this long after the last event of a burst. */
const settleMilliseconds = 40

/** A burst that takes longer than this is scanned before its end: events of many files must not delay the others. */
const maxBurstMilliseconds = 300

/** chokidar drops changes within 50 ms after an event that it has emitted: a second scan finds them. */
const secondScanMilliseconds = 60

/** Each watched file costs the kernel a watch and the event loop time; changes of further files are found by the rescans. */
const maxWatchedFiles = 2000

/** Some changes give no event: a replaced link or folder, or more folders than the kernel can watch. */
const rescanMilliseconds = 2000

/**
 * Calls `scan` after each event of the file system and every two seconds. Resolves when the folders are watched, to a
 * function that stops it.
 */
export async function watchFolders(folders: Folder[], scan: () => void, log: Log): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined
  let burstStart: number | undefined
  const scanSoon = () => {
    burstStart ??= performance.now()
    if (performance.now() - burstStart > maxBurstMilliseconds) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      burstStart = undefined
      scan()
      timer = setTimeout(scan, secondScanMilliseconds)
    }, settleMilliseconds)
  }
  const paths = folders.map(({ path }) => path)
  const watched = new Set<string>()
  const ignored = (path: string, stats?: Stats) => {
    if (paths.includes(path)) return false
    if (/(^|\/)(node_modules|\.[^/]+)$/.test(path)) return true
    if (!stats?.isFile() || watched.has(path)) return false
    if (watched.size >= maxWatchedFiles) return true
    watched.add(path)
    return false
  }
  const watcher = watch(paths, { ignoreInitial: true, ignored })
  watcher.on('all', scanSoon)
  watcher.on('unlink', path => watched.delete(path))
  watcher.on('error', error => log.warn('modules', `watching failed, changes are seen late: ${message(error)}`))
  const rescan = setInterval(scan, rescanMilliseconds)
  await new Promise<void>(resolve => watcher.once('ready', () => resolve()))
  return async () => {
    clearTimeout(timer)
    clearInterval(rescan)
    await watcher.close()
  }
}
