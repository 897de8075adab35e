// Calls for a scan when files of the command folders may have changed. Events are only hints: scans find what they miss.
import { type FSWatcher, type Stats, watch as watchDirectory } from 'node:fs'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { type Log, message } from '../log/log.ts'
import { isNotFound } from '../system/fs-errors.ts'
import { everySeconds } from '../system/periodic-jobs.ts'
import {
  lookSeconds,
  maxBurstMilliseconds,
  maxListedFiles,
  secondScanMilliseconds,
  settleMilliseconds,
} from './timing.ts'

export interface WatcherDeps {
  /** Paths of the command folders. */
  folders: readonly string[]
  /** The directories of the files that the commands in service depend on. */
  inputDirectories(): Iterable<string>
  /** Called for each event, before the scan that follows it. */
  changed(file: string): void
  scan(): void
  /** Called every two seconds. */
  look(): void
  log: Log
  /** Seconds between two looks. */
  lookInterval?: number
}

/** Resolves when the folders are watched, to a function that stops it. */
export async function watchFolders(deps: WatcherDeps): Promise<() => Promise<void>> {
  const { folders, inputDirectories, lookInterval = lookSeconds } = deps
  let hasManyFiles = false
  const renew = () => {
    if (hasManyFiles) directories.renew()
  }
  const scan = () => {
    renew()
    deps.scan()
  }
  const scanTimer = createScanTimer(scan)
  const changed = (file: string) => {
    deps.changed(file)
    scanTimer.start()
  }
  const callbacks = { changed, failed: reportOnce(deps.log) }
  const directories = new DirectoryWatches(() => new Set([...folders, ...inputDirectories()]), callbacks)
  const files = watchFiles(folders, callbacks)
  void files.exceeded.then(() => {
    hasManyFiles = true
    scan()
    return files.close()
  })
  const stopLooks = everySeconds(lookInterval, () => {
    renew()
    deps.look()
  })
  await Promise.race([files.ready, files.exceeded])
  return async () => {
    scanTimer.stop()
    stopLooks()
    await files.close()
    directories.close()
  }
}

/** Calls `scan` soon after an event or a burst of events, and once more a little later. */
function createScanTimer(scan: () => void) {
  let timer: NodeJS.Timeout | undefined
  let burstStart: number | undefined
  return {
    start() {
      burstStart ??= performance.now()
      if (performance.now() - burstStart > maxBurstMilliseconds) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        burstStart = undefined
        scan()
        timer = setTimeout(scan, secondScanMilliseconds)
      }, settleMilliseconds)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Watches with the same problem are tried again every two seconds. */
function reportOnce(log: Log): (error: unknown) => void {
  const reported = new Set<string>()
  return error => {
    const problem = message(error)
    if (!reported.has(problem)) log.warn('modules', `watching failed, changes are seen late: ${problem}`)
    reported.add(problem)
  }
}

interface WatchCallbacks {
  /** Called for every change of a file. */
  changed(file: string): void
  failed(error: unknown): void
}

/** Watches each file in the folders and below them. `exceeded` resolves when there are too many. */
function watchFiles(folders: readonly string[], { changed, failed }: WatchCallbacks) {
  const listed = new Set<string>()
  let exceed = () => {}
  const exceeded = new Promise<void>(resolve => {
    exceed = resolve
  })
  const ignored = (path: string, stats?: Stats) => {
    if (folders.includes(path)) return false
    if (/(^|\/)(node_modules|\.[^/]+)$/.test(path)) return true
    if (!stats?.isFile() || listed.has(path)) return false
    if (listed.size < maxListedFiles) listed.add(path)
    else exceed()
    return !listed.has(path)
  }
  const watcher = watch([...folders], { ignoreInitial: true, ignored })
  watcher.on('all', (_, path) => changed(path))
  watcher.on('unlink', path => listed.delete(path))
  watcher.on('error', failed)
  const ready = new Promise<void>(resolve => watcher.once('ready', () => resolve()))
  return { ready, exceeded, close: () => watcher.close() }
}

/** Watches directories without listing them: one kernel watch each, however many files a directory has. */
class DirectoryWatches {
  readonly #directories: () => Iterable<string>
  readonly #deps: WatchCallbacks
  #watchers: FSWatcher[] = []

  /** Those of `directories` that exist are watched. */
  constructor(directories: () => Iterable<string>, deps: WatchCallbacks) {
    this.#directories = directories
    this.#deps = deps
  }

  /** To be called from time to time, before a scan: the path of a directory may lead to another one by then. */
  renew(): void {
    this.close()
    for (const directory of this.#directories()) this.#watch(directory)
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }

  #watch(directory: string): void {
    const { changed, failed } = this.#deps
    try {
      this.#watchers.push(
        watchDirectory(directory, (_, name) => changed(join(directory, name ?? ''))).on('error', failed),
      )
    } catch (error) {
      if (!isNotFound(error, ['ENOTDIR'])) failed(error)
    }
  }
}
