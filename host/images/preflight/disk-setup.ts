// How much space the partitions need that a disk is to get.
import type { SetupTarget } from '../../contract/services.ts'

/** Partitions of MSDOS tables beyond these are inside the extended one. */
const primaryPartitions = 4

export function neededKib({ type, cache, cache_size, partition_setup }: Omit<SetupTarget, 'clients'>): number {
  const isMsdos = type.toUpperCase() === 'MSDOS'
  const slots = partition_setup
    .map(toSlot)
    .filter(({ partition, code }) => code !== 'EMPTY' && !(isMsdos && Number(partition) > primaryPartitions))
  const sum = slots.reduce((kib, { size }) => kib + (Number(size) || 0), 0)
  const hasCache = slots.some(({ code }) => code === 'CACHE')
  return cache === '1' && !hasCache ? sum + (Number(cache_size) || 0) : sum
}

function toSlot(entry: unknown) {
  const slot = entry instanceof Object ? entry : {}
  return { partition: text(slot, 'partition'), code: text(slot, 'code').toUpperCase(), size: text(slot, 'size') }
}

const text = (slot: object, key: string) => String(Reflect.get(slot, key) ?? '')
