// Keeps the registry in step with the command folders: load, check, then swap, so that a typo is never an outage.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ModuleEntry } from '../services.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { resolveConflicts, type TrackedFile } from './conflicts.ts'
import { commandName, loadFile } from './load-file.ts'
import type { Loaded, Registry } from './registry.ts'
import { ageOf, type Folder, fingerprintOf, listCommandFiles, watchFolders } from './watcher.ts'

export interface LoaderDeps {
  log: Log
  events: Events
  registry: Registry
  /** In the order of precedence: the built-in ones first. */
  folders: Folder[]
}

export interface Loader {
  /** Looks at the folders now; resolves when what they hold is in service. */
  refresh(): Promise<void>
  /** Every file, in service or not, built-in ones first. */
  list(): ModuleEntry[]
  close(): Promise<void>
}

/** A file that is written right now may be half there. */
const quietMilliseconds = 30

/** Some programs save by deleting and creating again. */
const missingMilliseconds = 100

/** A file that changes each time it is read is told of all the same. */
const mostMoves = 2

/** The stamp of a file whose state while it was read is not known. */
const unsure = ''

/** Loads all folders, puts their commands in service, and goes on to follow every change. */
export async function startLoader({ log, events, registry, folders }: LoaderDeps): Promise<Loader> {
  const files = new Map<string, TrackedFile>()
  let turn: Promise<void> = Promise.resolve()
  const unreadable = new Map<string, string | undefined>()
  let started = false
  let seen = 0

  /** One look at the folders. All that it finds is loaded before one swap, so that a rename leaves no gap. */
  async function look(): Promise<void> {
    let again = false
    const present = new Map<string, Folder>()
    for (const folder of folders) {
      for (const file of await listed(folder)) present.set(file, folder)
    }
    for (const known of files.values()) {
      if (present.has(known.file)) known.missingSince = undefined
      else known.missingSince ??= Date.now()
    }
    let changed = false
    for (const [file, { origin }] of present) {
      const known = files.get(file)
      if (known && known.stamp === stampsOf(known.inputs)) continue
      if (started && (known?.inputs ?? [file]).some(isFresh)) again = true
      else changed = (await load(file, origin)) || changed
    }
    const isOver = ({ missingSince }: TrackedFile) =>
      missingSince !== undefined && Date.now() - missingSince >= missingMilliseconds
    const over = [...files.values()].filter(isOver)
    for (const { file } of over) files.delete(file)
    if (changed || over.length > 0) swap(over)
    if (again || [...files.values()].some(known => known.missingSince !== undefined)) {
      setTimeout(() => void refresh(), quietMilliseconds).unref()
    }
  }

  /** A folder that cannot be read holds what it held: that is no reason to stop serving its commands. */
  async function listed({ path }: Folder): Promise<string[]> {
    const found = await listCommandFiles(path)
    const problem = 'problem' in found ? found.problem : undefined
    if (problem !== unreadable.get(path) && problem !== undefined) log.warn('modules', `${path}: ${problem}`)
    unreadable.set(path, problem)
    return 'problem' in found ? [...files.keys()].filter(file => dirname(file) === path) : found.files
  }

  /** Whether the file's newest content has something to say: a new version, or a new problem. */
  async function load(file: string, origin: string): Promise<boolean> {
    const before = files.get(file)
    const known: TrackedFile = before ?? {
      file,
      origin,
      inputs: [file],
      stamp: unsure,
      hash: '',
      versions: 0,
      since: seen++,
    }
    files.set(file, known)
    // Stamped before it is read: what is written meanwhile is seen by the next look.
    const stamp = stampsOf(known.inputs)
    const { inputs, hash, ready, problem } = await loadFile(file, known.hash)
    // Half of a file may have been read: the next look, which its writing has caused, says what is wrong if anything is.
    const moved = problem !== undefined && stampsOf(known.inputs) !== stamp ? (known.moved ?? 0) + 1 : 0
    known.moved = moved <= mostMoves ? moved : 0
    if (known.moved > 0) {
      // What was wrong with the text before is no news.
      known.problem = known.told = undefined
      known.stamp = unsure
      return false
    }
    // Every save that fails is told, a second try at the same one is not.
    if (known.stamp !== unsure) known.told = undefined
    // A file that nobody knew of yet may have been written since: the next look tries once more.
    known.stamp = sameFiles(known.inputs, inputs) ? stamp : unsure
    known.inputs = inputs
    known.hash = hash
    if (!ready && problem === undefined) return false
    if (ready) known.versions += 1
    known.latest = ready && { ...ready, file, origin, version: known.versions, loadedAt: new Date() }
    known.problem = problem
    return true
  }

  function swap(over: TrackedFile[]): void {
    const before = new Map([...files].map(([file, { served }]) => [file, served]))
    resolveConflicts([...files.values()])
    registry.replace([...files.values()].flatMap(({ served }) => served ?? []))
    for (const { file } of over) {
      log.info('modules', `${file}: removed`)
      events.emit({ type: 'module-removed', file })
    }
    for (const known of files.values()) {
      if (known.served && known.served !== before.get(known.file)) tellServed(known.served)
      if (known.problem !== known.told && known.missingSince === undefined) tellProblem(known)
    }
  }

  function tellServed({ file, name, origin, version, command }: Loaded): void {
    // At start one line counts them all.
    if (started || origin !== 'built-in') {
      log.info('modules', `${file}: version ${version} of ${name} serves ${command.route}`)
    }
    events.emit({ type: 'module-loaded', file, command: name })
  }

  function tellProblem(known: TrackedFile): void {
    const { file, problem, served } = known
    known.told = problem
    if (problem === undefined) return
    log.warn('modules', `${file}: ${problem}${served ? `; version ${served.version} stays in service` : ''}`)
    events.emit({ type: 'module-failed', file, reason: problem })
  }

  function refresh(): Promise<void> {
    turn = turn.then(look).catch(error => log.error('modules', 'looking at the command folders failed', error))
    return turn
  }

  await refresh()
  started = true
  log.info('modules', `${registry.commands.length} commands in service`)
  for (const { path } of folders) {
    if (!existsSync(path)) log.warn('modules', `${path}: there is no such folder yet; what comes into it is loaded`)
  }
  const unwatch = await watchFolders(folders, () => void refresh(), log)
  // What changed while the watcher was starting gave no event.
  await refresh()
  return {
    refresh,
    list: () => [...files.values()].map(entryOf),
    close: unwatch,
  }
}

function entryOf({ file, origin, versions, served, problem }: TrackedFile): ModuleEntry {
  return {
    file,
    command: commandName(file),
    origin,
    versions,
    ...(served && { route: served.command.route, version: served.version, loaded_at: served.loadedAt.toISOString() }),
    ...(served?.command.forward && { forward: served.command.forward.to }),
    ...(problem !== undefined && { error: problem }),
  }
}

const isFresh = (file: string) => ageOf(file) >= 0 && ageOf(file) < quietMilliseconds
const stampsOf = (files: string[]) => files.map(fingerprintOf).join('\n')
const sameFiles = (a: string[], b: string[]) => a.join('\n') === b.join('\n')
