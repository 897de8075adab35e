// Why no image can be created by clients.
import type { Services } from 'fleet-host'
import { findPartition, inGigabytes, whyNotCloned } from './_partition-checks.ts'
import { allWith, findObstacles, type Obstacles } from './_preflight.ts'

interface Target {
  clients: readonly string[]
  disk: string
  partition: string
  name: string
  repository?: string
  code: string
}

/** Of what a partition uses, at least so much is in its image: the best that compressors do. */
const leastRatio = 0.2

export async function preflightCreate({ clients, ...target }: Target, services: Services): Promise<Obstacles> {
  const what = `disk ${target.disk} partition ${target.partition}`
  const named = whyNotCloned(Number(target.code))
  if (named) return allWith(clients, `code ${target.code}: such a partition ${named}`)
  const isLocal = target.repository === services.repository.address
  const file = isLocal ? await services.repository.file(target.name) : undefined
  const { free } = isLocal ? await services.repository.disk() : { free: Number.POSITIVE_INFINITY }
  return findObstacles(clients, services, rows => {
    const partition = findPartition(rows, target)
    if (partition === undefined || typeof partition === 'string') return partition
    const reason = whyNotCloned(partition.code)
    if (reason) return `${what} ${reason}`
    const used = (partition.size * 1024 * partition.used_size) / 100
    // The older file stays as a version next to the new one.
    const needed = Math.max(file?.size ?? 0, used * leastRatio)
    return free < needed
      ? `the repository has ${inGigabytes(free)} free, needs about ${inGigabytes(needed)}`
      : undefined
  })
}
