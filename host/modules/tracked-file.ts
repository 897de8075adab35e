// Loads one command file: bundle, run, check. Knows its last load, its newest version and the version in service.
import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { ModuleEntry } from '../contract/services.ts'
import { message } from '../log/log.ts'
import { fingerprintOf } from '../system/file-states.ts'
import { descriptorShortage } from '../system/process/descriptors.ts'
import { bundle, type Fingerprints } from './bundle.ts'
import type { Contender, Resolution } from './conflicts.ts'
import { evaluate } from './evaluate.ts'
import { maxUnstableLoads } from './timing.ts'
import { type CheckedCommand, validateCommand } from './validate.ts'

/** Hex digits; the hosts of a cluster compare versions by them. */
const digestLength = 16

/** `changed`: there is a new version or a new problem. `postponed`: the file was not loaded, and is still outdated. */
type LoadOutcome = 'changed' | 'unchanged' | 'postponed'

export class TrackedFile implements Contender {
  readonly file: string
  readonly origin: string
  readonly sequence: number
  /** The number of the pass in which the file was new, or the watcher reported a change of it last. */
  noticedInPass: number
  /** The number of the pass that checked last whether the file has changed. */
  checkedInPass = 0
  missingSince: number | undefined
  newest: LoadedCommand | undefined
  served: LoadedCommand | undefined
  /** Why the newest content is not in service. */
  problem: string | undefined
  /** The problem that is in the log. */
  loggedProblem: string | undefined
  /** Whether the file has never been loaded. */
  isNew = true
  /** What the last load depended on; '' for a file that may have changed during it. */
  #inputs: Fingerprints
  #hash = ''
  #versions = 0
  /** How many loads in a row failed while the file changed. */
  #unstableLoads = 0

  constructor({ file, origin, sequence, pass }: { file: string; origin: string; sequence: number; pass: number }) {
    this.file = file
    this.origin = origin
    this.sequence = sequence
    this.noticedInPass = pass
    this.#inputs = { [file]: '' }
  }

  /** The files that the last load depended on. */
  get inputs(): string[] {
    return Object.keys(this.#inputs)
  }

  /** Whether one of them has changed since. */
  isOutdated(): boolean {
    return hasChanged(this.#inputs)
  }

  /** Loads the newest content. */
  async load(): Promise<LoadOutcome> {
    this.isNew = false
    // Taken before the load, so that the next scan sees what is written during it.
    const before = Object.fromEntries(this.inputs.map(file => [file, fingerprintOf(file)]))
    const { inputs, hash, checked, problem, isPostponed } = await loadFile(this.file, this.#hash)
    if (isPostponed) return 'postponed'
    if (this.#isUnstable(problem, before)) return 'unchanged'
    // Log each failed save once, not each retry.
    if (!Object.values(this.#inputs).includes('')) this.loggedProblem = undefined
    // Without a fingerprint the next scan loads once more: a file that is new among those that failed may have changed.
    const entries = Object.entries(inputs).map(([file, fingerprint]) => [file, fingerprint || (before[file] ?? '')])
    this.#inputs = Object.fromEntries(entries)
    this.#hash = hash
    if (!checked && problem === undefined) return 'unchanged'
    if (checked) this.#versions += 1
    const { file, origin } = this
    const digest = hash.slice(0, digestLength)
    this.newest = checked && { ...checked, file, origin, version: this.#versions, digest, loadedAt: new Date() }
    this.problem = problem
    return 'changed'
  }

  /** Whether a load failed because the file changed while being read: the change event triggers another scan. */
  #isUnstable(problem: string | undefined, before: Fingerprints): boolean {
    const mayRetry = problem !== undefined && hasChanged(before) && this.#unstableLoads < maxUnstableLoads
    this.#unstableLoads = mayRetry ? this.#unstableLoads + 1 : 0
    if (!mayRetry) return false
    // The problem of the content before no longer applies.
    this.problem = undefined
    this.loggedProblem = undefined
    this.#inputs[this.file] = ''
    return true
  }

  /** Takes over what the comparison with the other files has decided. */
  resolve({ served, conflict }: Resolution): void {
    this.served = served
    if (this.newest) this.problem = conflict
  }

  toEntry(): ModuleEntry {
    const { file, origin, served, problem } = this
    const entry: ModuleEntry = { file, command: commandName(file), origin, versions: this.#versions }
    if (served) {
      entry.route = served.command.route
      entry.version = served.version
      entry.loaded_at = served.loadedAt.toISOString()
    }
    if (served?.command.forward) entry.forward = served.command.forward.to
    if (problem !== undefined) entry.error = problem
    return entry
  }
}

const hasChanged = (fingerprints: Fingerprints): boolean =>
  Object.entries(fingerprints).some(([file, fingerprint]) => fingerprint !== fingerprintOf(file))

/** The result of loading a file. `checked` and `problem` are absent when the bundle is unchanged since the last load. */
interface LoadResult {
  /** The files that the result depends on. */
  inputs: Fingerprints
  /** The hash of the bundle, '' when the file could not be loaded. */
  hash: string
  checked?: CheckedCommand
  problem?: string
  /** The file could not be loaded now, which has nothing to do with its content; `problem` is the reason. */
  isPostponed?: true
}

/** The name of the command in a file. */
const commandName = (file: string) => basename(file, extname(file))

/**
 * `lastHash` is the hash of the file's last load, '' when that failed: an unchanged bundle does not run again. Postponed
 * while file descriptors are short: bundling needs some, and without any Node aborts when code runs with a time limit.
 */
export async function loadFile(file: string, lastHash = ''): Promise<LoadResult> {
  const bundled = await bundle(file)
  const shortage = descriptorShortage()
  if (shortage !== undefined) return { inputs: {}, hash: '', problem: shortage, isPostponed: true }
  const { inputs } = bundled
  if ('problem' in bundled) return { inputs, hash: '', problem: bundled.problem }
  const hash = createHash('sha256').update(bundled.code).digest('hex')
  if (hash === lastHash) return { inputs, hash }
  try {
    return { inputs, hash, checked: validateCommand(commandName(file), evaluate(bundled.code, file)) }
  } catch (error) {
    // Without a hash the same text runs again when it is saved: the cause may have been outside the file.
    return { inputs, hash: '', problem: message(error).replaceAll(/\n\s*/g, ' ') }
  }
}
