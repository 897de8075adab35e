// The process's file descriptors: how many it may have, how many are open, and whether they are running out.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { hasCode } from '../file-system.ts'

const folder = '/proc/self/fd'

let limit: number | undefined

/** The soft limit at the first call, as reading it needs a descriptor; Infinity where the system does not report one. */
export function descriptorLimit(): number {
  limit ??= readLimit()
  return limit
}

function readLimit(): number {
  try {
    const text = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return text === undefined ? Number.POSITIVE_INFINITY : Number(text)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** A count is used again for this long: kernels before 6.2 need milliseconds for thousands of descriptors. */
const countMilliseconds = 1000

let count = 0
let countedAt = Number.NEGATIVE_INFINITY

/** As counted within the last second, or at most `maxAge` milliseconds ago; 0 where the system does not report it. */
export function openDescriptors(maxAge = countMilliseconds): number {
  const now = performance.now()
  if (now - countedAt < maxAge) return count
  countedAt = now
  count = countDescriptors()
  return count
}

function countDescriptors(): number {
  try {
    // The size is the count since Linux 6.2, and 0 before.
    return statSync(folder).size || readdirSync(folder).length
  } catch (error) {
    // The folder cannot be listed without a free descriptor.
    return hasCode(error, 'EMFILE', 'ENFILE') ? descriptorLimit() : 0
  }
}

/** Descriptors that stay free for files of the store, for child processes and for loading commands. */
const reservedDescriptors = 32

/** The reason when hardly any descriptor is free, as counted now; undefined otherwise. */
export function descriptorShortage(): string | undefined {
  const open = countDescriptors()
  const max = descriptorLimit()
  return open > max - reservedDescriptors ? `${open} of ${max} file descriptors are open` : undefined
}
