// Keeps the registry in step with the command folders: load, check, then swap, so that a typo is never an outage.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LoadedCommand } from '../loaded-command.ts'
import type { ModuleEntry } from '../services.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { createMutex } from '../system/mutex.ts'
import { resolveConflicts } from './conflicts.ts'
import type { Registry } from './registry.ts'
import { TrackedFile } from './tracked-file.ts'
import { ageOf, type Folder, listCommandFiles, watchFolders } from './watcher.ts'

export interface LoaderDeps {
  log: Log
  events: Events
  registry: Registry
  /** The built-in folder first. */
  folders: Folder[]
}

export interface Loader {
  /** Loads all folders, puts their commands in service, and from then on follows every change. */
  start(): Promise<void>
  /** Scans the folders now; resolves when their commands are in service. */
  refresh(): Promise<void>
  /** Every file, in service or not, built-in files first. */
  list(): ModuleEntry[]
  close(): Promise<void>
}

/** A file that was written less than this time ago may be incomplete. */
const quietMilliseconds = 30

/** Some programs save a file by deleting it and creating it again. */
const missingMilliseconds = 100

export function createLoader(deps: LoaderDeps): Loader {
  const scanner = new FolderScanner(deps)
  let stopWatching = async () => {}
  return {
    async start() {
      stopWatching = await startScanner(scanner, deps)
    },
    refresh: () => scanner.refresh(),
    list: () => scanner.list(),
    close: () => stopWatching(),
  }
}

/** Resolves to the function that stops watching. */
async function startScanner(scanner: FolderScanner, { log, registry, folders }: LoaderDeps) {
  await scanner.start()
  log.info('modules', `${registry.commands.length} commands in service`)
  for (const { path } of folders) {
    if (!existsSync(path)) log.warn('modules', `${path}: the folder does not exist yet, its files load once it does`)
  }
  const stopWatching = await watchFolders(folders, () => void scanner.refresh(), log)
  // Changes while the watcher was starting gave no events.
  await scanner.refresh()
  return stopWatching
}

class FolderScanner {
  readonly #deps: LoaderDeps
  readonly #files = new Map<string, TrackedFile>()
  /** Why folders cannot be read, by path. */
  readonly #folderProblems = new Map<string, string | undefined>()
  readonly #exclusive = createMutex()
  #started = false
  #nextSequence = 0

  constructor(deps: LoaderDeps) {
    this.#deps = deps
  }

  /** The first scan, which does not wait until new files are complete. */
  async start(): Promise<void> {
    await this.refresh()
    this.#started = true
  }

  refresh(): Promise<void> {
    const { log } = this.#deps
    return this.#exclusive(() => this.#scan()).catch(error => {
      log.error('modules', 'the scan of the command folders failed', error)
    })
  }

  list(): ModuleEntry[] {
    return [...this.#files.values()].map(file => file.toEntry())
  }

  /** Loads all changed files before one swap, so that renaming a file leaves no gap. */
  async #scan(): Promise<void> {
    const present = await this.#listFolders()
    for (const tracked of this.#files.values()) {
      if (present.has(tracked.file)) tracked.missingSince = undefined
      else tracked.missingSince ??= Date.now()
    }
    let hasChanges = false
    let hasFreshFiles = false
    for (const [file, { origin }] of present) {
      const tracked = this.#files.get(file)
      if (tracked && !tracked.isOutdated()) continue
      if (this.#started && (tracked?.inputs ?? [file]).some(isFresh)) hasFreshFiles = true
      else hasChanges = (await (tracked ?? this.#track(file, origin)).load()) || hasChanges
    }
    const removed = this.#forgetMissing()
    if (hasChanges || removed.length > 0) this.#swap(removed)
    if (hasFreshFiles || [...this.#files.values()].some(({ missingSince }) => missingSince !== undefined)) {
      setTimeout(() => void this.refresh(), quietMilliseconds).unref()
    }
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
    const listing = await listCommandFiles(path)
    const problem = 'problem' in listing ? listing.problem : undefined
    if (problem !== undefined && problem !== this.#folderProblems.get(path)) {
      this.#deps.log.warn('modules', `${path}: ${problem}`)
    }
    this.#folderProblems.set(path, problem)
    return 'problem' in listing ? [...this.#files.keys()].filter(file => dirname(file) === path) : listing.files
  }

  #track(file: string, origin: string): TrackedFile {
    const tracked = new TrackedFile(file, origin, this.#nextSequence)
    this.#nextSequence += 1
    this.#files.set(file, tracked)
    return tracked
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

  #swap(removed: TrackedFile[]): void {
    const { log, events, registry } = this.#deps
    const files = [...this.#files.values()]
    const replaced = new Set<TrackedFile>()
    for (const [tracked, resolution] of resolveConflicts(files)) {
      if (resolution.served !== tracked.served) replaced.add(tracked)
      tracked.resolve(resolution)
    }
    registry.replace(files.flatMap(({ served }) => served ?? []))
    for (const { file } of removed) {
      log.info('modules', `${file}: removed`)
      events.emit({ type: 'module-removed', file })
    }
    for (const tracked of files) {
      if (tracked.served && replaced.has(tracked)) this.#reportLoaded(tracked.served)
      if (tracked.problem !== tracked.loggedProblem && tracked.missingSince === undefined) this.#reportProblem(tracked)
    }
  }

  #reportLoaded({ file, name, origin, version, command }: LoadedCommand): void {
    const { log, events } = this.#deps
    // At start, one line with the number of commands stands for all built-in files.
    if (this.#started || origin !== 'built-in') {
      log.info('modules', `${file}: version ${version} of ${name} serves ${command.route}`)
    }
    events.emit({ type: 'module-loaded', file, command: name })
  }

  #reportProblem(tracked: TrackedFile): void {
    const { log, events } = this.#deps
    const { file, problem, served } = tracked
    tracked.loggedProblem = problem
    if (problem === undefined) return
    log.warn('modules', `${file}: ${problem}${served ? `; version ${served.version} stays in service` : ''}`)
    events.emit({ type: 'module-failed', file, reason: problem })
  }
}

const isFresh = (file: string) => ageOf(file) >= 0 && ageOf(file) < quietMilliseconds
