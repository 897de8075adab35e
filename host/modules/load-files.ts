// Loads outdated command files for a limited time, those in service first.
import type { LoadOutcome, TrackedFile } from './tracked-file.ts'

/** Milliseconds after which one pass ends: what is in service by then is swapped, and new saves are looked for. */
const passMilliseconds = 200

/** A file that takes longer than this to load, for example from a server that is gone, is loaded in the background. */
const patienceMilliseconds = 700

export interface LoadFilesDeps {
  /** At the start of the daemon: neither limit applies. */
  waitsForAll: boolean
  /** Called when a file that was left to the background has a new version or a new problem. */
  changedLate(): void
}

/** `hasMore`: there was no time for some files. */
export interface LoadSummary {
  hasChanges: boolean
  hasMore: boolean
}

export async function loadFiles(files: readonly TrackedFile[], deps: LoadFilesDeps): Promise<LoadSummary> {
  const end = deps.waitsForAll ? Number.POSITIVE_INFINITY : performance.now() + passMilliseconds
  let hasChanges = false
  for (const group of groupsByUrgency(files)) {
    for (const [index, tracked] of group.entries()) {
      // At least one of each group, so that the last group is loaded in the end.
      if (index > 0 && performance.now() > end) return { hasChanges, hasMore: true }
      const outcome = await (deps.waitsForAll ? tracked.load() : loadPatiently(tracked, deps))
      // The next scan sees whether there are descriptors again.
      if (outcome === 'postponed') return { hasChanges, hasMore: false }
      hasChanges ||= outcome === 'changed'
    }
  }
  return { hasChanges, hasMore: false }
}

/** Files in service, then files that were loaded before, then new files, those seen last first. */
function groupsByUrgency(files: readonly TrackedFile[]): TrackedFile[][] {
  const groups: TrackedFile[][] = [[], [], []]
  for (const tracked of files) groups[tracked.served ? 0 : tracked.isNew ? 2 : 1]?.push(tracked)
  groups[2]?.sort((a, b) => b.firstPass - a.firstPass)
  return groups
}

async function loadPatiently(tracked: TrackedFile, { changedLate }: LoadFilesDeps): Promise<LoadOutcome> {
  let isLate = false
  const loading = tracked.load().then(outcome => {
    if (isLate && outcome === 'changed') changedLate()
    return outcome
  })
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<LoadOutcome>(resolve => {
    timer = setTimeout(() => {
      isLate = true
      resolve('unchanged')
    }, patienceMilliseconds)
  })
  const outcome = await Promise.race([loading, patience])
  clearTimeout(timer)
  return outcome
}
