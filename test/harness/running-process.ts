// Whether a process of the system runs, which is not a child of the test.
import { readFileSync } from 'node:fs'

/** A process that has ended and whose parent has not read its exit code does not run. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
