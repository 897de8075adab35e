// What images can be made of, and restored to.
import type { Partition } from '../../../stores/store.ts'

// Types of partitions: MSDOS codes, and those of GPT, which end in 00.
const extended = new Set([5, 15, 133])
const cache = new Set([202, 51_712])
const swap = new Set([130, 33_280])

/** The partition, or why there is none; undefined when nothing is known. */
export function findPartition(
  rows: readonly Partition[],
  { disk, partition }: { disk: string; partition: string },
): Partition | string | undefined {
  if (rows.length === 0) return undefined
  const found = rows.find(row => row.disk === Number(disk) && row.partition === Number(partition))
  return found ?? `disk ${disk} has no partition ${partition}`
}

export const isExtended = ({ code }: Partition) => extended.has(code)
export const isCache = ({ code }: Partition) => cache.has(code)

/** Why no image can be made of a partition of this type. */
export function whyNotCloned(code: number): string | undefined {
  if (code === 0) return 'is empty'
  if (extended.has(code)) return 'is an extended partition'
  if (cache.has(code)) return 'is the cache'
  return swap.has(code) ? 'is swap space' : undefined
}

export const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
