// What the store knows of some computers, in the form in which asset systems want it.
import type { ColumnsRequest, Computer, FoundComputer, Frozen, HardwareItem, Rights, Services } from 'fleet-host'

/** Computers of one page. */
const pageSize = '250'

/** The rows of all pages. Throws for a query that is refused. */
export async function* pagesOf(
  request: Omit<ColumnsRequest, 'limit' | 'after'>,
  rights: Rights,
  { fleetInventory, isRefusal }: Services,
): AsyncGenerator<FoundComputer> {
  let after: string | undefined = '0'
  while (after !== undefined) {
    const page = await fleetInventory.list({ ...request, limit: pageSize, after }, rights)
    if (isRefusal(page)) throw new Error(page.refused)
    yield* page.computers
    after = page.next
  }
}

type Filled<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> }

/** Without what is not known: undefined, empty and 0. */
export function known<Values extends object>(values: Values): Filled<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== '' && value !== 0)
  // `as`: TypeScript forgets the keys of an object that is made of entries.
  return Object.fromEntries(entries) as Filled<Values>
}

export interface Disk {
  /** MiB. */
  size?: number
  name?: string
}

export interface AssetFacts {
  record: Frozen<Computer>
  disks: Disk[]
  /** The names of its operating systems. */
  systems: string[]
  /** The descriptions of its devices of a type, such as `processor`. */
  devices(type: string): string[]
  /** The ids of its lists of software. */
  lists: number[]
}

/** Of the addresses that are computers. */
export async function readFacts(ips: readonly string[], { store, inventory, slices }: Services): Promise<AssetFacts[]> {
  await slices.pause()
  const records = await store.computers.findMany(ips)
  const surveyed = new Map((await store.inventory.survey(ips)).map(computer => [computer.ip, computer]))
  const ids = new Set(Array.from(surveyed.values(), ({ hardware }) => hardware))
  const hardware = new Map((await store.inventory.devices([...ids])).map(({ id, items }) => [id, items]))
  return records.map(record => {
    const { rows = [], hardware: list = 0 } = surveyed.get(record.ip) ?? {}
    const devices = (type: string) => descriptionsOf(hardware.get(list) ?? [], type)
    const sizes = rows.filter(({ partition }) => partition === 0).map(({ size }) => Math.floor(size / 1024))
    return {
      record,
      devices,
      disks: disksOf(sizes, devices('disk'), inventory),
      systems: [...new Set(rows.map(({ system }) => system).filter(Boolean))],
      lists: [...new Set(rows.map(({ software }) => software).filter(Boolean))],
    }
  })
}

const descriptionsOf = (items: readonly HardwareItem[], type: string) =>
  items.filter(item => item.type === type).map(({ description }) => description)

/** Sizes come from the partition tables, names from the list of devices: together where there are as many of both. */
function disksOf(sizes: readonly number[], names: readonly string[], { sizeOf }: Services['inventory']): Disk[] {
  if (sizes.length === 0) return names.map(name => known({ name, size: sizeOf(name) }))
  return sizes.map((size, at) => known({ size, name: names.length === sizes.length ? names[at] : undefined }))
}

/** `00:1b:21:0a:0b:0c`; undefined for what is no hardware address. */
export function macOf({ mac }: Pick<Frozen<Computer>, 'mac'>): string | undefined {
  const digits = mac.toLowerCase().replace(/[^0-9a-f]/g, '')
  return digits.length === 12 ? digits.replace(/(..)(?!$)/g, '$1:') : undefined
}
