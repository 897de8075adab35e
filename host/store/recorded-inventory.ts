// A store that records what its writes change in the inventories of computers, whoever calls them.
import type {
  DiskReport,
  HardwareItem,
  RestoredImage,
  Store,
  SurveyedComputer,
  SurveyedPartition,
} from '../../stores/store.ts'
import type { Clock } from '../system/clock.ts'
import { addChanges, type Comparison, historyCollection, isNoteworthy } from './inventory-history.ts'

/** Attempts to store a change that another host changes, too. */
const mostAttempts = 20

/** Lines of one list of software. */
const mostLines = 20_000

/** A change is stored first: when its inventory is not, the next report of that repeats it, and it is not stored twice. */
export function recordInventory(store: Store, clock: Clock): Store {
  async function forget<Deleted extends { id: number }[] | undefined>(deleting: Promise<Deleted>): Promise<Deleted> {
    const computers = await deleting
    for (const { id } of computers ?? []) await store.documents.delete({ ...historyCollection, key: String(id) })
    return computers
  }

  return override(store, {
    ...inventoryWrites(store, (ip, compare) => record(store, clock, ip, compare)),
    computers: override(store.computers, { delete: ips => forget(store.computers.delete(ips)) }),
    rooms: override(store.rooms, { delete: id => forget(store.rooms.delete(id)) }),
    centers: override(store.centers, { delete: id => forget(store.centers.delete(id)) }),
  })
}

/** All other members stay those of `base`, which may be of a class. */
const override = <Base extends object>(base: Base, members: Partial<Base>): Base =>
  // `as`: TypeScript does not see a prototype.
  Object.assign(Object.create(base) as Base, members)

type Compare = (computer: SurveyedComputer) => Promise<Comparison[]>

async function record(store: Store, clock: Clock, ip: string, compare: Compare): Promise<void> {
  const [computer] = await store.inventory.survey([ip])
  const comparisons = computer ? (await compare(computer)).filter(isNoteworthy) : []
  if (!computer || comparisons.length === 0) return
  const key = { ...historyCollection, key: String(computer.id) }
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const stored = await store.documents.find(key)
    const history = addChanges(stored && JSON.parse(stored.value), comparisons, { addr: ip, now: clock.now() })
    if (!history) return
    const version = stored?.version ?? 0
    if ((await store.documents.put({ ...key, value: JSON.stringify(history) }, { version })) !== 'conflict') return
  }
  throw new Error(`inventory of ${ip}: expected its change to be stored, got ${mostAttempts} conflicts`)
}

function inventoryWrites({ inventory, images }: Store, record: (ip: string, compare: Compare) => Promise<void>) {
  async function compareSoftware({ ip, rows }: SurveyedComputer, place: PartitionNumbers, programs: string[]) {
    const { disk, partition } = place
    const before = rowAt(rows, place)?.software ? await inventory.software(ip, disk, partition) : undefined
    const comparison: Comparison = {
      kind: 'software',
      disk,
      partition,
      before: before && [...new Set(before)],
      after: [...new Set(programs)],
    }
    return comparison
  }

  async function compareRestored(computer: SurveyedComputer, { id, disk, partition }: RestoredImage) {
    const stored = await images.findById(id)
    // Nothing is known of what is in the image: the next inventory of the partition is its first one.
    if (!stored?.software_id) return []
    const lines = await inventory.programs([stored.software_id], { like: '*', limit: mostLines })
    const programs = lines.map(({ program }) => program)
    return [
      compareSystem(computer.rows, { disk, partition }, await images.system(id)),
      await compareSoftware(computer, { disk, partition }, programs),
    ]
  }

  return {
    inventory: override(inventory, {
      async refresh(ip, report) {
        await record(ip, async ({ rows }) => compareDisks(rows, report))
        return inventory.refresh(ip, report)
      },
      async setHardware(ip, items) {
        await record(ip, async ({ hardware }) => {
          const before = hardware ? namesOf(await inventory.hardware(ip)) : undefined
          return [{ kind: 'hardware', before, after: namesOf(items) }]
        })
        return inventory.setHardware(ip, items)
      },
      async setSoftware(ip, disk, partition, software) {
        await record(ip, async computer => [await compareSoftware(computer, { disk, partition }, software.programs)])
        return inventory.setSoftware(ip, disk, partition, software)
      },
    }),
    images: override(images, {
      async recordCreate(ip, image) {
        await record(ip, async computer => [await compareSoftware(computer, image, image.software.programs)])
        return images.recordCreate(ip, image)
      },
      async recordRestore(ip, image) {
        await record(ip, computer => compareRestored(computer, image))
        return images.recordRestore(ip, image)
      },
    }),
  }
}

type PartitionNumbers = Pick<SurveyedPartition, 'disk' | 'partition'>

const rowAt = <Row extends PartitionNumbers>(rows: readonly Row[], { disk, partition }: PartitionNumbers) =>
  rows.findLast(row => row.disk === disk && row.partition === partition)

const namesOf = (items: readonly Readonly<HardwareItem>[]): string[] =>
  items.map(({ type, description }) => `${type}: ${description}`)

/** A partition of which only the software is known says nothing of disks. */
const areKnown = (rows: readonly SurveyedPartition[]): boolean =>
  rows.some(({ partition, size, system }) => partition === 0 || size > 0 || system !== '')

function compareDisks(before: readonly SurveyedPartition[], { rows }: DiskReport): Comparison[] {
  const disks = new Set([...before, ...rows].filter(({ partition }) => partition === 0).map(({ disk }) => disk))
  const reported = new Map([...before, ...rows].map(row => [`${row.disk} ${row.partition}`, row]))
  return [
    ...Array.from(disks, disk => compareDisk(before, rows, disk)),
    ...Array.from(reported.values(), row => compareSystem(before, row, rowAt(rows, row)?.os ?? '')),
  ]
}

function compareDisk(before: readonly SurveyedPartition[], after: DiskReport['rows'], disk: number): Comparison {
  const toNames = (row: { size: number } | undefined) => (row ? [`disk ${disk}: ${toGB(row.size)} GB`] : [])
  const place = { disk, partition: 0 }
  return {
    kind: 'disk',
    disk,
    before: areKnown(before) ? toNames(rowAt(before, place)) : undefined,
    after: toNames(rowAt(after, place)),
  }
}

function compareSystem(
  rows: readonly SurveyedPartition[],
  { disk, partition }: PartitionNumbers,
  system: string,
): Comparison {
  const toNames = (name: string | undefined) => (name ? [name] : [])
  const before = areKnown(rows) ? toNames(rowAt(rows, { disk, partition })?.system) : undefined
  return { kind: 'system', disk, partition, before, after: toNames(system) }
}

/** As disks are sold. */
const toGB = (kibibytes: number): number => Math.round((kibibytes * 1024) / 1000 ** 3)
