// Why clients cannot restore an image.
import type { Image, Refusal, Services } from 'fleet-host'
import { findKept } from './_overwrite-reasons.ts'
import { findPartition, inGigabytes, isCache, isExtended } from './_partition-checks.ts'
import type { RestoreTarget } from './_partition-content.ts'
import { allWith, findObstacles, type Obstacles } from './_preflight.ts'

interface Target extends RestoreTarget {
  repository: string
  type: string
  overwrite?: boolean
}

export async function preflightRestore(target: Target, services: Services): Promise<Obstacles> {
  if (target.overwrite !== false) return findFaults(target, services)
  const kept = await findKept(target, services)
  const faults = await findFaults(target, services).catch(error => {
    services.log.error('preflight failed', error)
    return []
  })
  return new Map([...kept, ...faults])
}

async function findFaults({ clients, type, ...target }: Target, services: Services): Promise<Obstacles> {
  const { name, repository } = target
  const isLocal = repository === services.repository.address
  const file = isLocal ? await services.repository.file(name) : undefined
  if (isLocal && !file && (await hasImages(services))) return allWith(clients, `there is no file ${name}.img`)
  const image = await services.imageFiles.find(name)
  return findObstacles(clients, services, rows => {
    const partition = findPartition(rows, target)
    if (partition === undefined || typeof partition === 'string') return partition
    const what = `disk ${target.disk} partition ${target.partition}`
    if (isExtended(partition)) return `${what} is an extended partition`
    if (isCache(partition)) return `${what} is the cache`
    const [size, needed] = [partition.size * 1024, image?.datasize ?? 0]
    if (size < needed) return `${what} has ${inGigabytes(size)}, image ${name} needs ${inGigabytes(needed)}`
    const space = rows.find(isCache)
    if (!file || !space || !/TORRENT|CACHE/i.test(type) || space.size * 1024 >= file.size) return undefined
    return `its cache has ${inGigabytes(space.size * 1024)}, image ${name} needs ${inGigabytes(file.size)}`
  })
}

/** Whether the folder is that of a repository: without a file of any image nothing is known of it. */
async function hasImages({ store, imageFiles }: Services): Promise<boolean> {
  const images: Image[] = await store.images.list()
  return (await imageFiles.read(images.map(({ name }) => name))).size > 0
}

/** The payload, or a refusal of its name. */
export const checkImageName = <Payload extends { name: string }>(
  payload: Payload,
  { repository, refuse }: Services,
): Payload | Refusal =>
  repository.isValidName(payload.name) ? payload : refuse(`name: expected a file name, got ${payload.name}`)
