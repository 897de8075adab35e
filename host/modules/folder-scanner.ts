// Keeps the registry in step with the command folders, in passes of limited time.
import { dirname } from 'node:path'
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { ModuleEntry } from '../contract/services.ts'
import { inFile, type Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { FileStates } from '../system/file-states.ts'
import { createMutex } from '../system/mutex.ts'
import { descriptorShortage } from '../system/process/descriptors.ts'
import { forEachTimeSliced } from '../system/time-slices.ts'
import { resolveConflicts } from './conflicts.ts'
import { describeModule } from './describe-module.ts'
import { loadFiles } from './load-files.ts'
import { type Folder, listModuleFiles } from './module-files.ts'
import type { Registry } from './registry.ts'
import { missingMilliseconds, quietMilliseconds, tickMilliseconds } from './timing.ts'
import { TrackedFile } from './tracked-file.ts'

export interface ScannerDeps {
  log: Log
  events: Events
  registry: Registry
  /** The built-in folder first. */
  folders: Folder[]
  /** Called after each scan. */
  scanned?(): void
}

export class FolderScanner {
  readonly #deps: ScannerDeps
  readonly #files = new Map<string, TrackedFile>()
  /** Why folders cannot be read, by path. */
  readonly #folderProblems = new Map<string, string | undefined>()
  readonly #exclusive = createMutex()
  /** The scan that has not begun yet: it also serves those who ask for one now. */
  #nextScan: Promise<void> | undefined
  #started = false
  #nextSequence = 0
  #passes = 0
  #shortage: string | undefined
  /** The last pass has found everything in order: a look need not scan while no file changes. */
  #isSettled = false
  readonly #states = new FileStates()
  readonly #brokenLinks = new Map<string, readonly string[]>()

  constructor(deps: ScannerDeps) {
    this.#deps = deps
  }

  /** The first scan, which waits for all files, but not until new files are complete. */
  async start(): Promise<void> {
    await this.refresh()
    this.#started = true
  }

  /** Resolves when the commands that the folders have now are in service. */
  refresh(): Promise<void> {
    const { log } = this.#deps
    this.#nextScan ??= this.#exclusive(() => this.#scan()).catch(error => {
      log.error('modules', 'the scan of the command folders failed', error)
    })
    return this.#nextScan
  }

  /** To be called from time to time: scans when something may have changed since the last scan. */
  look(): void {
    // Compared each time: the scan that follows sees at least these states.
    const hasChanged = this.#states.haveChanged(this.#paths())
    if (hasChanged || !this.#isSettled || descriptorShortage() !== undefined) void this.refresh()
  }

  /** All that the last scan has looked at. */
  *#paths(): Iterable<string> {
    for (const { path } of this.#deps.folders) yield path
    for (const links of this.#brokenLinks.values()) yield* links
    for (const { inputs } of this.#files.values()) yield* inputs
  }

  list(): ModuleEntry[] {
    return [...this.#files.values()].map(file => file.toEntry())
  }

  /** A hint of the watcher: among files that were not loaded yet, the next pass begins with this one. */
  noticeChange(file: string): void {
    const tracked = this.#files.get(file)
    if (tracked) tracked.noticedInPass = this.#passes + 1
  }

  /** The folders, and the directories of all files that commands depend on. */
  *directories(): Iterable<string> {
    for (const { path } of this.#deps.folders) yield path
    for (const { inputs } of this.#files.values()) yield* inputs.map(input => dirname(input))
  }

  /** Each pass looks at the folders again, so that files which are saved meanwhile do not wait for all others. */
  async #scan(): Promise<void> {
    this.#nextScan = undefined
    this.#isSettled = false
    const firstPass = this.#passes + 1
    while (await this.#pass(firstPass));
    this.#deps.scanned?.()
  }

  /** Loads changed files before one swap, so that renaming a file leaves no gap. Resolves to whether files remain. */
  async #pass(firstPass: number): Promise<boolean> {
    if (this.#isShortOfDescriptors()) return false
    this.#passes += 1
    const present = await this.#listFolders()
    this.#updateFiles(present)
    const files = [...this.#files.values()].filter(({ missingSince }) => missingSince === undefined)
    const { hasChanges, hasOutdated, hasMore, hasFreshFiles } = await loadFiles(files, {
      waitsForAll: !this.#started,
      pass: this.#passes,
      firstPass,
    })
    const removed = this.#forgetMissing()
    if (hasChanges || removed.length > 0) await this.#swap(removed)
    const hasMissing = [...this.#files.values()].some(({ missingSince }) => missingSince !== undefined)
    if (hasFreshFiles || hasMissing) setTimeout(() => void this.refresh(), quietMilliseconds).unref()
    this.#isSettled = !hasOutdated && !hasMore && !hasMissing
    return hasMore
  }

  /** Also logs when a shortage begins and ends. */
  #isShortOfDescriptors(): boolean {
    const shortage = this.#started ? descriptorShortage() : undefined
    const { log } = this.#deps
    if (shortage !== undefined && this.#shortage === undefined)
      log.warn('modules', `changes are not loaded now: ${shortage}`)
    if (shortage === undefined && this.#shortage !== undefined) log.info('modules', 'changes are loaded again')
    this.#shortage = shortage
    return shortage !== undefined
  }

  async #listFolders(): Promise<Map<string, Folder>> {
    const present = new Map<string, Folder>()
    for (const folder of this.#deps.folders) {
      for (const file of await this.#listFolder(folder)) present.set(file, folder)
    }
    return present
  }

  /** The commands of a folder that cannot be read stay in service. */
  async #listFolder({ path }: Folder): Promise<string[]> {
    const listing = await listModuleFiles(path)
    const problem = 'problem' in listing ? listing.problem : undefined
    if (problem !== undefined && problem !== this.#folderProblems.get(path)) {
      this.#deps.log.warn('modules', `${path}: ${problem}`)
    }
    this.#folderProblems.set(path, problem)
    if ('brokenLinks' in listing) this.#brokenLinks.set(path, listing.brokenLinks)
    return 'problem' in listing ? [...this.#files.keys()].filter(file => dirname(file) === path) : listing.files
  }

  /** Adds new files, and notes which are missing. */
  #updateFiles(present: Map<string, Folder>): void {
    for (const tracked of this.#files.values()) {
      if (present.has(tracked.file)) tracked.missingSince = undefined
      else tracked.missingSince ??= Date.now()
    }
    for (const [file, { origin }] of present) {
      if (this.#files.has(file)) continue
      this.#files.set(file, new TrackedFile({ file, origin, sequence: this.#nextSequence, pass: this.#passes }))
      this.#nextSequence += 1
    }
  }

  /** Drops the files that have been missing for long enough. */
  #forgetMissing(): TrackedFile[] {
    const now = Date.now()
    const removed = [...this.#files.values()].filter(
      ({ missingSince }) => missingSince !== undefined && now - missingSince >= missingMilliseconds,
    )
    for (const { file } of removed) this.#files.delete(file)
    return removed
  }

  /** Thousands of files may have gone or failed at once: they are reported in parts. */
  async #swap(removed: TrackedFile[]): Promise<void> {
    const { log, events, registry } = this.#deps
    const files = [...this.#files.values()]
    const replaced = new Set<TrackedFile>()
    // Thousands of broken files must not make each swap slow.
    const contenders = files.filter(({ newest, served }) => newest !== undefined || served !== undefined)
    for (const [tracked, resolution] of resolveConflicts(contenders)) {
      if (resolution.served !== tracked.served) replaced.add(tracked)
      tracked.resolve(resolution)
    }
    registry.replace(files.flatMap(({ served }) => served ?? []))
    await forEachTimeSliced(removed, tickMilliseconds, ({ file }) => {
      log.info('modules', `${file}: removed`)
      events.emit({ type: 'module-removed', file })
    })
    await forEachTimeSliced(files, tickMilliseconds, tracked => {
      // At start, one line with the number of commands stands for all built-in files.
      const isLogged = this.#started || tracked.origin !== 'built-in'
      if (tracked.served && replaced.has(tracked)) this.#reportLoaded(tracked.served, isLogged)
      if (tracked.problem !== tracked.loggedProblem && tracked.missingSince === undefined) this.#reportProblem(tracked)
    })
  }

  #reportLoaded(loaded: LoadedModule, isLogged: boolean): void {
    const { log, events } = this.#deps
    const { file, name, version } = loaded
    if (isLogged) log.info('modules', `${file}: version ${version} of ${name} ${describeModule(loaded)}`)
    events.emit({ type: 'module-loaded', file, command: name })
  }

  #reportProblem(tracked: TrackedFile): void {
    const { file, problem, served } = tracked
    const { log, events } = this.#deps
    tracked.loggedProblem = problem
    if (problem === undefined) return
    log.warn('modules', `${inFile(file, problem)}${served ? `; version ${served.version} stays in service` : ''}`)
    events.emit({ type: 'module-failed', file, reason: problem })
  }
}
