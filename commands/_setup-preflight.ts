// Why the disk of clients cannot be partitioned as asked.
import type { Services } from 'fleet-host'
import { inGigabytes } from './_partition-checks.ts'
import { findObstacles, type Obstacles } from './_preflight.ts'

interface Setup {
  clients: readonly string[]
  type: string
  disk: string
  cache: string
  cache_size: string
  partition_setup: unknown[]
}

/** Partitions of MSDOS tables beyond these are inside the extended one. */
const primaryPartitions = 4

export function preflightSetup(setup: Setup, services: Services): Promise<Obstacles> {
  const needed = neededKib(setup)
  return findObstacles(setup.clients, services, rows => {
    // A disk that is not known may be a new one.
    const disk = rows.find(row => row.disk === Number(setup.disk) && row.partition === 0)
    if (!disk || disk.size === 0 || needed <= disk.size) return undefined
    return `disk ${setup.disk} has ${inGigabytes(disk.size * 1024)}, the partitions need ${inGigabytes(needed * 1024)}`
  })
}

const text = (slot: object, key: string) => String(Reflect.get(slot, key) ?? '')

function toSlot(entry: unknown) {
  const slot = entry instanceof Object ? entry : {}
  return { partition: text(slot, 'partition'), code: text(slot, 'code').toUpperCase(), size: text(slot, 'size') }
}

function neededKib({ type, cache, cache_size, partition_setup }: Setup): number {
  const isMsdos = type.toUpperCase() === 'MSDOS'
  const slots = partition_setup
    .map(toSlot)
    .filter(({ partition, code }) => code !== 'EMPTY' && !(isMsdos && Number(partition) > primaryPartitions))
  const sum = slots.reduce((kib, { size }) => kib + (Number(size) || 0), 0)
  const hasCache = slots.some(({ code }) => code === 'CACHE')
  return cache === '1' && !hasCache ? sum + (Number(cache_size) || 0) : sum
}
