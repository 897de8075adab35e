// What the command folders hold right now, and hints that it may have changed.
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { watch } from 'chokidar'
import { type Log, message } from '../system/log.ts'

/** A folder of command files; `built-in` or the folder itself says where its commands come from. */
export interface Folder {
  path: string
  origin: string
}

const endings = new Set(['.ts', '.mts', '.js', '.mjs'])

/** Whether a file that lies directly in a command folder is a command. */
export function isCommandFile(name: string): boolean {
  return endings.has(extname(name)) && !/^[_.]|\.d\.m?ts$|\.test\.\w+$/.test(name)
}

/** The command files directly in a folder, sorted; none when it does not exist. */
export async function listCommandFiles(folder: string): Promise<{ files: string[] } | { problem: string }> {
  try {
    const names = (await readdir(folder)).filter(isCommandFile).sort()
    // Links count as what they lead to. A pipe or a device would keep whoever reads it waiting.
    return { files: names.map(name => join(folder, name)).filter(file => isRegular(file)) }
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return isAbsent ? { files: [] } : { problem: `cannot be read: ${message(error)}` }
  }
}

const isRegular = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true

/** Tells one content of a file from the next, as far as the file system knows; links are followed. */
export function fingerprintOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : 'absent'
}

/** Milliseconds since a file was last written, infinite when it is gone. */
export function ageOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY
}

/** Bursts of hints are answered together, this long after the last one. */
const settleMilliseconds = 40

/** chokidar drops what changes within 50 ms of an event that it has told: a second look finds it. */
const echoMilliseconds = 60

/** Some changes give no event at all: a replaced link or folder, more folders than the kernel watches. */
const rescanMilliseconds = 2000

/**
 * Calls `look` after each hint and every two seconds. Resolves when the folders are watched; gives back the way to
 * stop.
 */
export async function watchFolders(folders: Folder[], look: () => void, log: Log): Promise<() => Promise<void>> {
  let waiting: NodeJS.Timeout | undefined
  const hint = () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      look()
      waiting = setTimeout(look, echoMilliseconds)
    }, settleMilliseconds)
  }
  const paths = folders.map(({ path }) => path)
  const ignored = (path: string) => !paths.includes(path) && /(^|\/)(node_modules|\.[^/]+)$/.test(path)
  const watcher = watch(paths, { ignoreInitial: true, ignored })
  watcher.on('all', hint)
  watcher.on('error', error => log.warn('modules', `watching failed, changes are seen late: ${message(error)}`))
  const rescan = setInterval(look, rescanMilliseconds)
  await new Promise<void>(resolve => watcher.once('ready', () => resolve()))
  return async () => {
    clearTimeout(waiting)
    clearInterval(rescan)
    await watcher.close()
  }
}
