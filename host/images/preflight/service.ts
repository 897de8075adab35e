// What is known before a command is sent that copies images or partitions disks, and makes it fail: a reason per client.
//
// What is not known is no reason: a computer without an inventory, an image in the repository of another server.
import type { Partition } from '../../../stores/store.ts'
import type { Obstacles, PreflightService, RestoreTarget, Services, SetupTarget } from '../../contract/services.ts'
import type { Log } from '../../log/log.ts'
import { slices } from '../../system/request-slices.ts'
import { contentsOf, whyNotReplaced } from './overwrite.ts'

interface PreflightDeps extends Pick<Services, 'store' | 'fleet' | 'images'> {
  log: Log
  /** The newest login of a connected client. */
  sessions: { of(addr: string): { user?: string } | undefined }
}

/** Why a command fails on a client with these disks and partitions; [] when they are not known. */
type Rule = (rows: readonly Partition[]) => string | undefined

/** The same of the partition that it reads or writes. */
type PartitionRule = (partition: Partition, rows: readonly Partition[]) => string | undefined

const systems: Readonly<Record<string, string>> = {
  linux: 'runs Linux, not the live system',
  'linux-session': 'runs Linux, not the live system',
  windows: 'runs Windows, not the live system',
  'windows-session': 'runs Windows, not the live system',
  virtual: 'is a virtual desktop, not the live system',
}

const [extended, cache, swap] = ['is an extended partition', 'is the cache', 'is swap space']

/** Why no image is made of a partition of this type: MSDOS codes, and those of GPT, which end in 00. */
const whyNotCloned: Readonly<Record<number, string>> = {
  0: 'is empty',
  5: extended,
  15: extended,
  133: extended,
  202: cache,
  51712: cache,
  130: swap,
  33280: swap,
}

const isCache = ({ code }: Partition) => whyNotCloned[code] === cache

/** Of what a partition uses, at least so much is in its image: the best that compressors do. */
const leastRatio = 0.2

/** Partitions of MSDOS tables beyond these are inside the extended one. */
const primaryPartitions = 4

export function createPreflight(deps: PreflightDeps): PreflightService {
  const { images, log } = deps
  const contents: PreflightService['contents'] = target => contentsOf(target, deps)
  return {
    contents,
    async create({ clients, ...target }) {
      const reason = whyNotCloned[Number(target.code)]
      const refused = reason ? allWith(clients, `partition type ${target.code}: such a partition ${reason}`) : []
      const isLocal = target.repository === images.address
      const file = isLocal ? await images.file(target.name) : undefined
      const { free } = isLocal ? await images.disk() : { free: Number.POSITIVE_INFINITY }
      const hasSpace: PartitionRule = ({ size, used_size }) => {
        // The older file stays as a version next to the new one.
        const needed = Math.max(file?.size ?? 0, ((size * 1024 * used_size) / 100) * leastRatio)
        return lacks(free, needed, (has, needs) => `the repository has ${has} free, needs about ${needs}`)
      }
      const isCloned: PartitionRule = ({ code }) => whyNotCloned[code] && `${nameOf(target)} ${whyNotCloned[code]}`
      // First what somebody can change: that another system runs there.
      return new Map([...refused, ...(await findObstacles(clients, deps, ofPartition(target, [isCloned, hasSpace])))])
    },

    async restore(target, waits) {
      const findFaults = () => checkRestore(target, waits ? { ...deps, sessions: nobody } : deps)
      if (target.overwrite !== false) return findFaults()
      // Where it cannot be read what would be replaced, nothing is: a fault that is not seen costs a try only, this a system.
      const skipped = await contents(target).then(
        present => whyNotReplaced(target, present),
        error => {
          log.error('images', 'content of partitions not read', error)
          return allWith(target.clients, 'overwrite is not true, and what is there now cannot be read')
        },
      )
      const faults = await findFaults().catch(error => {
        log.error('images', 'preflight failed', error)
        return []
      })
      return new Map([...skipped, ...faults])
    },

    setup({ clients, ...setup }) {
      const needed = neededKib(setup)
      return findObstacles(clients, deps, rows => {
        const disk = rows.find(row => row.disk === Number(setup.disk) && row.partition === 0)
        // A disk that is not known may be a new one.
        if (!disk?.size) return undefined
        const explain = (has: string, need: string) => `disk ${setup.disk} has ${has}, the partitions need ${need}`
        return lacks(disk.size * 1024, needed * 1024, explain)
      })
    },
  }
}

const nobody = { of: () => undefined }

async function checkRestore({ clients, type, ...target }: RestoreTarget, deps: PreflightDeps): Promise<Obstacles> {
  const { store, images } = deps
  const { name, repository } = target
  const isLocal = repository === images.address
  const file = isLocal ? await images.file(name) : undefined
  if (isLocal && !file) {
    const names = (await store.images.list()).map(image => image.name)
    // Without a file of any image the folder may be that of no repository.
    if ((await images.read(names)).size > 0) return allWith(clients, `there is no file ${name}.img`)
  }
  const image = await images.find(name)
  const what = nameOf(target)
  const isCached = file && /TORRENT|CACHE/i.test(type)
  const rules: PartitionRule[] = [
    ({ code }) => ([extended, cache].includes(whyNotCloned[code] ?? '') ? `${what} ${whyNotCloned[code]}` : undefined),
    ({ size }) =>
      lacks(size * 1024, image?.datasize ?? 0, (has, needs) => `${what} has ${has}, image ${name} needs ${needs}`),
    (_, rows) => {
      const space = isCached && rows.find(isCache)
      const explain = (has: string, needs: string) => `its cache has ${has}, image ${name} needs ${needs}`
      return space ? lacks(space.size * 1024, file.size, explain) : undefined
    },
  ]
  return findObstacles(clients, deps, ofPartition(target, rules))
}

const nameOf = ({ disk, partition }: { disk: string; partition: string }) => `disk ${disk} partition ${partition}`

const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

function lacks(bytes: number, needed: number, explain: (has: string, needs: string) => string): string | undefined {
  return bytes < needed ? explain(inGigabytes(bytes), inGigabytes(needed)) : undefined
}

function ofPartition(target: { disk: string; partition: string }, rules: readonly PartitionRule[]): Rule {
  return rows => {
    if (rows.length === 0) return undefined
    const { disk, partition } = target
    const written = rows.find(row => row.disk === Number(disk) && row.partition === Number(partition))
    if (!written) return `disk ${disk} has no partition ${partition}`
    return rules.map(rule => rule(written, rows)).find(reason => reason !== undefined)
  }
}

async function findObstacles(clients: readonly string[], deps: PreflightDeps, rule: Rule): Promise<Obstacles> {
  const { fleet, sessions, store } = deps
  const asked = new Set(clients)
  // A part that waited is asked for alone, so that all clients are gone through as often as there are parts.
  const connected = fleet.clients().filter(({ addr }) => asked.has(addr))
  const statuses = new Map(connected.map(({ addr, status }) => [addr, status]))
  const obstacles: Obstacles = new Map()
  for (const addr of asked) {
    const session = sessions.of(addr)
    const state = session ? `${session.user ?? 'somebody'} is logged in` : systems[statuses.get(addr) ?? '']
    const reason = state ?? rule(await store.inventory.partitions(addr))
    if (reason !== undefined) obstacles.set(addr, reason)
    const pause = slices.pause()
    if (pause) await pause
  }
  return obstacles
}

const allWith = (clients: readonly string[], reason: string): Obstacles => new Map(clients.map(addr => [addr, reason]))

/** What the partitions need that a disk is to get. */
function neededKib({ type, cache: hasCache, cache_size, partition_setup }: Omit<SetupTarget, 'clients'>): number {
  const isMsdos = type.toUpperCase() === 'MSDOS'
  const slots = partition_setup
    .map(toSlot)
    .filter(({ partition, code }) => code !== 'EMPTY' && !(isMsdos && Number(partition) > primaryPartitions))
  const sum = slots.reduce((kib, { size }) => kib + (Number(size) || 0), 0)
  const isNamed = slots.some(({ code }) => code === 'CACHE')
  return hasCache === '1' && !isNamed ? sum + (Number(cache_size) || 0) : sum
}

function toSlot(entry: unknown) {
  const slot = entry instanceof Object ? entry : {}
  const text = (key: string) => String(Reflect.get(slot, key) ?? '')
  return { partition: text('partition'), code: text('code').toUpperCase(), size: text('size') }
}
