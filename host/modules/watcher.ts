// Calls for a scan when files of the command folders may have changed. Events are only hints: scans find what they miss.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { type Log, message } from '../log/log.ts'
import { isNotFound } from '../system/file-system.ts'
import { everySeconds } from '../system/periodic-jobs.ts'
import { lookSeconds, maxBurstMilliseconds, settleMilliseconds } from './timing.ts'

interface WatcherDeps {
  /** The command folders, and those of all files that commands depend on; some may be missing. */
  directories(): Iterable<string>
  /** Called for each event, before the scan that follows it. */
  changed(file: string): void
  scan(): void
  /** Called every two seconds, and when a watch has started. */
  look(): void
  log: Log
  /** Seconds between two looks. */
  lookInterval?: number
}

/** Watches directories without listing them: one kernel watch each, however many files a directory has. */
export class FolderWatcher {
  readonly #deps: WatcherDeps
  /** By path and identity of the directory. */
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #endLooks: () => void
  /** Watches with the same problem are tried again after each scan. */
  readonly #reported = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #burstStart: number | undefined

  constructor(deps: WatcherDeps) {
    this.#deps = deps
    this.#endLooks = everySeconds(deps.lookInterval ?? lookSeconds, () => deps.look())
    this.renew()
  }

  /** To be called after each scan: there may be other directories, and a path may lead to another one. */
  renew(): void {
    const directories = new Set(this.#deps.directories())
    const keys = new Map(Array.from(directories, path => [this.#keyOf(path), path]))
    for (const [key, watcher] of this.#watchers) if (!keys.has(key)) this.#close(key, watcher)
    for (const [key, path] of keys) if (key !== undefined && !this.#watchers.has(key)) this.#watch(key, path)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#endLooks()
    for (const [key, watcher] of this.#watchers) this.#close(key, watcher)
  }

  /** Undefined for a path that leads to no directory now. The number alone may be that of a deleted directory. */
  #keyOf(path: string): string | undefined {
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs} ${path}` : undefined
    } catch (error) {
      if (!isNotFound(error, ['ENOTDIR'])) this.#report(error)
      return undefined
    }
  }

  /** What is in the directory is ignored, so that chokidar needs no watch for each file: the directory's own events say it. */
  #watch(key: string, path: string): void {
    const watcher = watch(path, { depth: 0, ignored: each => each !== path })
    this.#watchers.set(key, watcher)
    watcher.on('raw', (_, name) => this.#onEvent(join(path, name ?? '')))
    // Changes while the watch was starting gave no events.
    watcher.on('ready', () => this.#deps.look())
    watcher.on('error', error => this.#report(error))
  }

  #close(key: string, watcher: FSWatcher): void {
    void watcher.close()
    this.#watchers.delete(key)
  }

  /** Calls for a scan soon after the last event of a burst. */
  #onEvent(file: string): void {
    this.#deps.changed(file)
    this.#burstStart ??= performance.now()
    if (performance.now() - this.#burstStart > maxBurstMilliseconds) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#burstStart = undefined
      this.#deps.scan()
    }, settleMilliseconds)
  }

  #report(error: unknown): void {
    const problem = message(error)
    if (!this.#reported.has(problem))
      this.#deps.log.warn('modules', `watching failed, changes are seen late: ${problem}`)
    this.#reported.add(problem)
  }
}
