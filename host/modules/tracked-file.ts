// A module file: knows its last load, its newest version and the version in service.
import type { LoadedModule } from '../contract/loaded-module.ts'
import { fingerprintOf } from '../system/file-states.ts'
import type { Fingerprints } from './bundle.ts'
import type { CheckedFile, ModulePlace } from './checked.ts'
import type { Resolution } from './conflicts.ts'
import type { Contender } from './contender.ts'
import { loadFile } from './load-file.ts'
import { type FoundFile, placeOf } from './module-files.ts'
import { maxUnstableLoads } from './timing.ts'

/** Hex digits; the hosts of a cluster compare versions by them. */
const digestLength = 16

/** `changed`: there is a new version or a new problem. `postponed`: the file was not loaded, and is still outdated. */
type LoadOutcome = 'changed' | 'unchanged' | 'postponed'

interface TrackedFileDeps extends FoundFile {
  sequence: number
  /** The number of the pass that has found it. */
  pass: number
  /** Whether it is loaded only when pack.lock has its pack. */
  needsLock?: boolean
}

export class TrackedFile implements Contender {
  readonly file: string
  readonly origin: string
  readonly place: ModulePlace
  readonly sequence: number
  /** The number of the pass in which the file was new, or the watcher reported a change of it last. */
  noticedInPass: number
  /** The number of the pass that checked last whether the file has changed. */
  checkedInPass = 0
  missingSince: number | undefined
  newest: LoadedModule | undefined
  served: LoadedModule | undefined
  /** The version that is not in service because its pack is off. */
  off: LoadedModule | undefined
  lastGood: LoadedModule | undefined
  /** Why the newest content is not in service. */
  problem: string | undefined
  /** For the log: what its author should change in time. */
  notice: string | undefined
  /** The problem that is in the log. */
  loggedProblem: string | undefined
  /** Whether the file has never been loaded. */
  isNew = true
  /** What the last load depended on; '' for a file that may have changed during it. */
  #inputs: Fingerprints
  readonly #needsLock: boolean
  #hash = ''
  #versions = 0
  /** How many loads in a row failed for a reason that may be gone at the next scan. */
  #unstableLoads = 0

  constructor({ file, origin, isInPack, sequence, pass, needsLock = false }: TrackedFileDeps) {
    this.file = file
    this.origin = origin
    this.place = placeOf(file, isInPack)
    this.sequence = sequence
    this.noticedInPass = pass
    this.#needsLock = needsLock
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
    const options = { place: this.place, lastHash: this.#hash, needsLock: this.#needsLock }
    const { inputs, hash, checked, problem, isPostponed, isRefused } = await loadFile(this.file, options)
    if (isPostponed) return 'postponed'
    if (this.#isUnstable(problem, before)) return 'unchanged'
    // Log each failed save once, not each retry, and one refusal for all changes of the pack and its lock.
    if (!isRefused && !Object.values(this.#inputs).includes('')) this.loggedProblem = undefined
    // Without a fingerprint the next scan loads once more: a file that is new among those that failed may have changed.
    const entries = Object.entries(inputs).map(([file, fingerprint]) => [file, fingerprint || (before[file] ?? '')])
    this.#inputs = Object.fromEntries(entries)
    this.#hash = hash
    if (!checked && problem === undefined) return 'unchanged'
    if (checked) this.#versions += 1
    this.newest = checked && this.#identify(checked, hash)
    this.notice = checked?.notice
    this.problem = problem
    return 'changed'
  }

  /** Adds where it came from. */
  #identify({ module, ownPack }: CheckedFile, hash: string): LoadedModule {
    const { file, origin, place } = this
    const { name, pack } = place
    const digest = hash.slice(0, digestLength)
    const id = place.isPackFile ? name : `${pack}/${name}`
    const source = { name, id, pack, file, origin, version: this.#versions, digest, loadedAt: new Date() }
    if (module.kind === 'pack' || !ownPack) return { ...module, ...source }
    return { ...module, ...source, ownPack: { ...ownPack, ...source, id: pack } }
  }

  /**
   * Whether the next scan loads again a file whose load failed because it changed while being read, or a built-in file,
   * which fails only by the time limits, on a server that is starved of processor time.
   */
  #isUnstable(problem: string | undefined, before: Fingerprints): boolean {
    const isTransient = hasChanged(before) || this.origin === 'built-in'
    const mayRetry = problem !== undefined && isTransient && this.#unstableLoads < maxUnstableLoads
    this.#unstableLoads = mayRetry ? this.#unstableLoads + 1 : 0
    if (!mayRetry) return false
    // The problem of the content before no longer applies.
    this.problem = undefined
    this.loggedProblem = undefined
    this.#inputs[this.file] = ''
    return true
  }

  /** Takes over what the comparison with the other files has decided. */
  resolve({ served, off, conflict }: Resolution): void {
    this.served = served
    this.off = off
    this.lastGood = served ?? off ?? this.lastGood
    if (this.newest) this.problem = conflict
  }

  /** How many versions were loaded since the start. */
  get versions(): number {
    return this.#versions
  }
}

const hasChanged = (fingerprints: Fingerprints): boolean =>
  Object.entries(fingerprints).some(([file, fingerprint]) => fingerprint !== fingerprintOf(file))
