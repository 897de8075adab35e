// Measures the processor time of test files.
import { existsSync, readFileSync } from 'node:fs'

const file = '/proc/self/stat'

let before = 0

/**
 * Seconds of processor time of the child processes, and of those that they waited for, which have ended since the last
 * call; undefined where the kernel does not count it in /proc.
 */
export function secondsOfEndedChildren(): number | undefined {
  if (!existsSync(file)) return undefined
  // The fields after the name: 13 and 14 are hundredths of a second in programs and in the kernel.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  const hundredths = (fields[13] ?? 0) + (fields[14] ?? 0)
  const seconds = (hundredths - before) / 100
  before = hundredths
  return seconds
}
