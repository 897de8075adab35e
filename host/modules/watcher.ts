// Calls for a scan when files of the command folders may have changed. Events are only hints: scans find what they miss.
import type { Stats } from 'node:fs'
import { watch } from 'chokidar'
import { type Log, message } from '../log/log.ts'
import { everySeconds } from '../system/periodic-jobs.ts'
import { DirectoryWatches } from './directory-watches.ts'

/** Waits this long after the last event of a burst. */
const settleMilliseconds = 40

/** A burst that takes longer than this is scanned before its end: events of many files must not delay the others. */
const maxBurstMilliseconds = 300

/** chokidar drops changes within 50 ms after an event that it has emitted: a second scan finds them. */
const secondScanMilliseconds = 60

/** Some changes give no event: a replaced link or folder, or more folders than the kernel can watch. */
const lookSeconds = 2

/**
 * After each event chokidar lists the folder and its files again, which takes all the time of the event loop while a
 * folder gets thousands of files. With more files than this, directories are watched instead until the daemon ends.
 */
const maxListedFiles = 500

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
