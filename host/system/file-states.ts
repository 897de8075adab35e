// Shows whether files have changed, as far as their file systems can show it. Links are followed.
import { statSync } from 'node:fs'
import { message } from '../log/log.ts'
import { everySeconds } from './periodic-jobs.ts'

/** Paths of one look; more would take longer than one tick may: each takes 3 to 6 µs. */
const maxFiles = 1000

/** Milliseconds: the times of a file may be as coarse, and then its second change shows in none of them. */
const coarsestTime = 3000

/** Not asked for in another thread: each look would wake two. */
function stateOf(file: string): { fingerprint: string; written: number } {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats) return { fingerprint: 'absent', written: Number.NEGATIVE_INFINITY }
    const { ino, size, mtimeMs, ctimeMs } = stats
    return { fingerprint: `${ino} ${size} ${mtimeMs} ${ctimeMs}`, written: mtimeMs }
  } catch (error) {
    return { fingerprint: message(error), written: Number.NEGATIVE_INFINITY }
  }
}

/** Differs for each content of a file. */
export const fingerprintOf = (file: string): string => stateOf(file).fingerprint

/** Milliseconds since a file was last written, infinite when it does not exist. */
export const ageOf = (file: string): number => Date.now() - stateOf(file).written

/**
 * Looks at the files every `seconds`, and calls `changed` when one is not as at the last look, and at the first look. They
 * are not watched: file systems of networks report no changes. Returns the function that ends it.
 */
export function lookAtFiles(files: readonly string[], seconds: number, changed: () => void): () => void {
  let last = ''
  return everySeconds(seconds, () => {
    const state = files.map(fingerprintOf).join('\n')
    if (state === last) return
    last = state
    changed()
  })
}

/** Notices with little work that some hundred files are as they were a moment ago. */
export class FileStates {
  #last = ''

  /**
   * Whether one of the paths leads to another file or content than at the last call. True as well when that cannot be
   * said: for other paths than then, for too many, and for a file that was written just now.
   */
  haveChanged(list: Iterable<string>): boolean {
    const fingerprints = new Map<string, string>()
    let isFresh = false
    for (const path of list) {
      if (fingerprints.has(path)) continue
      if (fingerprints.size === maxFiles) return true
      const { fingerprint, written } = stateOf(path)
      fingerprints.set(path, fingerprint)
      isFresh ||= Math.abs(Date.now() - written) < coarsestTime
    }
    const state = Array.from(fingerprints, entry => entry.join(' ')).join('\n')
    const hasChanged = state !== this.#last
    this.#last = state
    return hasChanged || isFresh
  }
}
