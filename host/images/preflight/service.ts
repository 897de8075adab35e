// What is known before a command is sent that copies images or partitions disks, and makes it fail: a reason per client.
//
// What is not known is no reason: a computer without an inventory, an image in the repository of another server.
import type {
  CreateTarget,
  Obstacles,
  PartitionContents,
  PreflightService,
  RestoreTarget,
  Services,
} from '../../contract/services.ts'
import type { Log } from '../../log/log.ts'
import { allWith, findObstacles, type ObstacleDeps } from './client-obstacles.ts'
import { neededKib } from './disk-setup.ts'
import { whyNotReplaced } from './overwrite.ts'
import { contentsOf } from './partition-contents.ts'
import { findPartition, inGigabytes, isCache, isExtended, whyNotCloned } from './partition-rules.ts'

export type PreflightDeps = ObstacleDeps & Pick<Services, 'images'> & { log: Log }

/** Of what a partition uses, at least so much is in its image: the best that compressors do. */
const leastRatio = 0.2

export function createPreflight(deps: PreflightDeps): PreflightService {
  const contents: PreflightService['contents'] = target => contentsOf(target, deps)
  return {
    contents,
    create: target => checkCreate(target, deps),

    async restore(target, waits) {
      const findFaults = () => checkRestore(target, waits ? { ...deps, sessions: nobody } : deps)
      if (target.overwrite !== false) return findFaults()
      const kept = await findKept(target, contents, deps.log)
      const faults = await findFaults().catch(error => {
        deps.log.error('images', 'preflight failed', error)
        return []
      })
      return new Map([...kept, ...faults])
    },

    setup({ clients, ...setup }) {
      const needed = neededKib(setup)
      return findObstacles(clients, deps, rows => {
        // A disk that is not known may be a new one.
        const disk = rows.find(row => row.disk === Number(setup.disk) && row.partition === 0)
        if (!disk || disk.size === 0 || needed <= disk.size) return undefined
        const [size, wanted] = [disk.size, needed].map(kib => inGigabytes(kib * 1024))
        return `disk ${setup.disk} has ${size}, the partitions need ${wanted}`
      })
    },
  }
}

const nobody = { list: () => [] }

async function checkCreate({ clients, ...target }: CreateTarget, deps: PreflightDeps): Promise<Obstacles> {
  const { images } = deps
  const named = whyNotCloned(Number(target.code))
  if (named) return allWith(clients, `code ${target.code}: such a partition ${named}`)
  const isLocal = target.repository === images.address
  const file = isLocal ? await images.file(target.name) : undefined
  const { free } = isLocal ? await images.disk() : { free: Number.POSITIVE_INFINITY }
  return findObstacles(clients, deps, rows => {
    const partition = findPartition(rows, target)
    if (partition === undefined || typeof partition === 'string') return partition
    const reason = whyNotCloned(partition.code)
    if (reason) return `disk ${target.disk} partition ${target.partition} ${reason}`
    const used = (partition.size * 1024 * partition.used_size) / 100
    // The older file stays as a version next to the new one.
    const needed = Math.max(file?.size ?? 0, used * leastRatio)
    return free < needed
      ? `the repository has ${inGigabytes(free)} free, needs about ${inGigabytes(needed)}`
      : undefined
  })
}

async function checkRestore({ clients, type, ...target }: RestoreTarget, deps: PreflightDeps): Promise<Obstacles> {
  const { images } = deps
  const { name, repository } = target
  const isLocal = repository === images.address
  const file = isLocal ? await images.file(name) : undefined
  if (isLocal && !file && (await hasImages(deps))) return allWith(clients, `there is no file ${name}.img`)
  const image = await images.find(name)
  return findObstacles(clients, deps, rows => {
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
async function hasImages({ store, images }: PreflightDeps): Promise<boolean> {
  const names = (await store.images.list()).map(({ name }) => name)
  return (await images.read(names)).size > 0
}

/** Where it cannot be read what would be replaced, nothing is: a fault that is not seen costs a try only, this a system. */
async function findKept(
  target: RestoreTarget,
  contents: (target: RestoreTarget) => Promise<PartitionContents>,
  log: Log,
): Promise<Obstacles> {
  try {
    return whyNotReplaced(target, await contents(target))
  } catch (error) {
    log.error('images', 'content of partitions not read', error)
    return allWith(target.clients, 'overwrite is not true, and what is there now cannot be read')
  }
}
