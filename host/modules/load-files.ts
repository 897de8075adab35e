// Loads the outdated files of one pass for a limited time, those in service first.
import { ageOf } from '../system/file-states.ts'
import { createPause } from '../system/time-slices.ts'
import { maxFailedChecks, passMilliseconds, quietMilliseconds, tickMilliseconds } from './timing.ts'
import type { TrackedFile } from './tracked-file.ts'

export interface PassDeps {
  /** At the start of the daemon: all files are loaded at once, without a limit. */
  waitsForAll: boolean
  /** The number of this pass, and of the first one of its scan, which ends when all files were checked since then. */
  pass: number
  firstPass: number
}

export async function loadFiles(files: Iterable<TrackedFile>, deps: PassDeps) {
  const pass = new LoadingPass(deps)
  const { served, failed, added } = groupByUrgency(files)
  // At least one of each group, so that the last group is loaded in the end.
  const isOver = (await pass.load(served)) || (await pass.load(failed, maxFailedChecks)) || (await pass.load(added))
  return isOver ? { ...pass.summary, hasMore: false } : pass.summary
}

/**
 * Failed files: those whose change the watcher has reported, then by their last check, the oldest first. New files: those
 * noticed last first.
 */
function groupByUrgency(files: Iterable<TrackedFile>) {
  const groups: Record<'served' | 'failed' | 'added', TrackedFile[]> = { served: [], failed: [], added: [] }
  for (const tracked of files) groups[tracked.served ? 'served' : tracked.isNew ? 'added' : 'failed'].push(tracked)
  groups.failed.sort((a, b) => Number(hasHint(b)) - Number(hasHint(a)) || a.checkedInPass - b.checkedInPass)
  groups.added.sort((a, b) => b.noticedInPass - a.noticedInPass)
  return groups
}

const hasHint = ({ noticedInPass, checkedInPass }: TrackedFile) => noticedInPass > checkedInPass

class LoadingPass {
  readonly #deps: PassDeps
  readonly #end: number
  readonly #pause = createPause(tickMilliseconds)
  /** Outdated: not as they were loaded. More: there was no time for them. Fresh: perhaps incomplete, and not loaded. */
  readonly summary = { hasChanges: false, hasOutdated: false, hasMore: false, hasFreshFiles: false }

  constructor(deps: PassDeps) {
    this.#deps = deps
    this.#end = deps.waitsForAll ? Number.POSITIVE_INFINITY : performance.now() + passMilliseconds
  }

  /** Resolves to true when nothing can be loaded now. */
  async load(group: readonly TrackedFile[], maxChecks = group.length): Promise<boolean> {
    const { pass, firstPass } = this.#deps
    let loads = 0
    for (const tracked of group.slice(0, maxChecks)) {
      await this.#pause()
      const isOutdated = tracked.isOutdated()
      this.summary.hasOutdated ||= isOutdated
      if (isOutdated && this.#isIncomplete(tracked)) continue
      if (isOutdated && loads > 0 && performance.now() > this.#end) {
        this.summary.hasMore = true
        return false
      }
      tracked.checkedInPass = pass
      if (!isOutdated) continue
      loads += 1
      const outcome = await tracked.load()
      // The next scan sees whether there are descriptors again.
      if (outcome === 'postponed') return true
      this.summary.hasChanges ||= outcome === 'changed'
    }
    this.summary.hasMore ||= group.slice(maxChecks).some(({ checkedInPass }) => checkedInPass < firstPass)
    return false
  }

  #isIncomplete(tracked: TrackedFile): boolean {
    const isFresh = !this.#deps.waitsForAll && tracked.inputs.some(isFreshFile)
    this.summary.hasFreshFiles ||= isFresh
    return isFresh
  }
}

const isFreshFile = (file: string) => ageOf(file) >= 0 && ageOf(file) < quietMilliseconds
