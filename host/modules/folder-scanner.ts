// Keeps the registry in step with the command folders, in passes of limited time. It loads, checks, then swaps, so that a
// typo is never an outage.
import { dirname } from 'node:path'
import type { LoadedModule, LoadedPack } from '../contract/loaded-module.ts'
import type { ModuleEntry } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { FileStates } from '../system/file-states.ts'
import { createMutex } from '../system/mutex.ts'
import { descriptorShortage } from '../system/process/descriptors.ts'
import { resolveConflicts } from './conflicts.ts'
import { FolderLists } from './folder-lists.ts'
import { loadFiles } from './load-files.ts'
import { entryOf } from './module-entry.ts'
import type { Folder, FoundFile } from './module-files.ts'
import { type IsEnabled, isEnabledByDefault } from './pack-names.ts'
import type { Registry } from './registry.ts'
import { reportSwap } from './report-swap.ts'
import { missingMilliseconds, quietMilliseconds } from './timing.ts'
import { TrackedFile } from './tracked-file.ts'

export interface ScannerDeps {
  log: Log
  events: Events
  registry: Registry
  /** The built-in folder first. */
  folders: Folder[]
  /** Whether a pack is enabled, by its name and origin; default: those of the site. */
  isEnabled?: IsEnabled
  /** Whether only what pack.lock has is loaded from the folders of a site. */
  isLocked?: boolean
  /** Called after each scan. */
  scanned?(): void
}

export class FolderScanner {
  readonly #deps: ScannerDeps
  readonly #files = new Map<string, TrackedFile>()
  readonly #lists: FolderLists
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

  constructor(deps: ScannerDeps) {
    this.#deps = deps
    this.#lists = new FolderLists(deps.folders, deps.log)
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
    yield* this.#lists.paths()
    for (const { inputs } of this.#files.values()) yield* inputs
  }

  list(): ModuleEntry[] {
    return [...this.#files.values()].map(entryOf)
  }

  /** A hint of the watcher: among files that were not loaded yet, the next pass begins with this one. */
  noticeChange(file: string): void {
    const tracked = this.#files.get(file)
    if (tracked) tracked.noticedInPass = this.#passes + 1
  }

  /** The folders, and the directories of all files that commands depend on. */
  *directories(): Iterable<string> {
    yield* this.#lists.directories()
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
    this.#updateFiles(await this.#lists.list([...this.#files.values()]))
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

  /** Adds new files, and notes which are missing. */
  #updateFiles(found: readonly FoundFile[]): void {
    const present = new Map(found.map(each => [each.file, each]))
    for (const tracked of this.#files.values()) {
      if (present.has(tracked.file)) tracked.missingSince = undefined
      else tracked.missingSince ??= Date.now()
    }
    for (const [file, each] of present) {
      if (this.#files.has(file)) continue
      const needsLock = this.#deps.isLocked === true && each.origin !== 'built-in'
      this.#files.set(file, new TrackedFile({ ...each, sequence: this.#nextSequence, pass: this.#passes, needsLock }))
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

  /** Puts in service what the loaded files have now, without loading any. */
  renewService(): Promise<void> {
    return this.#exclusive(() => this.#swap([]))
  }

  async #swap(removed: readonly TrackedFile[]): Promise<void> {
    const { log, events, registry, isEnabled = isEnabledByDefault } = this.#deps
    const files = [...this.#files.values()]
    const changed = new Map<TrackedFile, { wasServed: boolean }>()
    // Thousands of broken files must not make each swap slow.
    const contenders = files.filter(({ newest, lastGood }) => newest !== undefined || lastGood !== undefined)
    for (const [tracked, resolution] of resolveConflicts(contenders, isEnabled)) {
      if (resolution.served !== tracked.served || resolution.off !== tracked.off)
        changed.set(tracked, { wasServed: tracked.served !== undefined })
      tracked.resolve(resolution)
    }
    registry.replace(
      files.flatMap(({ served }) => served ?? []),
      files.flatMap(({ off }) => packIn(off)),
    )
    await reportSwap({ files, changed, removed, hasStarted: this.#started }, { log, events })
  }
}

function packIn(loaded: LoadedModule | undefined): LoadedPack[] {
  if (loaded?.kind === 'pack') return [loaded]
  return loaded?.ownPack ? [loaded.ownPack] : []
}
