// Notices with little work that some hundred files are as they were a moment ago.
import { statSync } from 'node:fs'

/** More would take longer than one tick may: each takes 3 to 6 µs. */
const maxFiles = 1000

/** Milliseconds: the times of a file may be as coarse, and then its second change shows in none of them. */
const coarsestTime = 3000

/** What is compared of a file. */
interface FileState {
  ino: number
  size: number
  mtimeMs: number
  ctimeMs: number
}

const absent: FileState = { ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 }

export class FileStates {
  readonly #states = new Map<string, FileState>()

  /**
   * Whether one of the paths leads to another file or content than at the last call. True as well when that cannot be
   * said: for other paths than then, for too many, and for a file that was written just now.
   */
  haveChanged(list: Iterable<string>): boolean {
    const paths = new Set<string>()
    for (const path of list) {
      paths.add(path)
      if (paths.size > maxFiles) return true
    }
    let hasChanged = false
    for (const path of paths) hasChanged = this.#update(path) || hasChanged
    if (this.#states.size === paths.size) return hasChanged
    for (const path of this.#states.keys()) {
      if (!paths.has(path)) this.#states.delete(path)
    }
    return true
  }

  #update(path: string): boolean {
    const last = this.#states.get(path)
    const state = stateOf(path)
    if (last && state && isSame(last, state)) return Math.abs(Date.now() - state.mtimeMs) < coarsestTime
    // Not the object of Node, which is twelve times as large.
    const { ino, size, mtimeMs, ctimeMs } = state ?? absent
    this.#states.set(path, { ino, size, mtimeMs, ctimeMs })
    return true
  }
}

/** Links are followed. Undefined for a file whose state cannot be read: the scan reports it. */
function stateOf(path: string): FileState | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? absent
  } catch {
    return undefined
  }
}

const isSame = (a: FileState, b: FileState): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
