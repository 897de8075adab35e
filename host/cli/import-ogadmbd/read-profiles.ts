// Imports the lists of hardware and of software that computers and images share.
import { createHash } from 'node:crypto'
import type { HardwareItem } from '../../../stores/store.ts'
import { rowsWithIds, type SiteImport } from './site.ts'
import type { SourceRow } from './source-row.ts'

/** Of a kind of lists: `links` has a row for each item of each list. */
const tablesOf = <Kind extends 'hard' | 'soft'>(kind: Kind) =>
  ({
    collection: `${kind}ware`,
    profiles: `perfiles${kind}`,
    links: `perfiles${kind}_${kind}wares`,
    items: `${kind}wares`,
    profileKey: `idperfil${kind}`,
    itemKey: `id${kind}ware`,
  }) as const

const [hardwareTables, softwareTables] = [tablesOf('hard'), tablesOf('soft')]

type ProfileTables = typeof hardwareTables | typeof softwareTables

/** Each profile with the id of its operating system, 0 for none. */
type Profiles = ReadonlyMap<number, number>

export const readHardwareProfiles = (task: SiteImport): Promise<Profiles> => readProfiles(task, hardwareTables)
export const readSoftwareProfiles = (task: SiteImport): Promise<Profiles> => readProfiles(task, softwareTables)

async function readProfiles(task: SiteImport, { profiles, collection }: ProfileTables): Promise<Profiles> {
  const systems = new Map<number, number>()
  for await (const { row, id } of rowsWithIds(task, profiles, collection)) systems.set(id, row.number('idnombreso'))
  return systems
}

/** Reads the lists that computers name. */
export async function readHardware(task: SiteImport, profiles: Profiles): Promise<void> {
  const { source, site } = task
  const types = new Map<number, string>()
  for await (const row of source.rows('tipohardwares')) {
    types.set(row.number('idtipohardware'), row.text('descripcion') || row.text('nemonico'))
  }
  const computers = [...site.computers.values()]
  const replaced = await keepLists(task, hardwareTables, {
    profiles,
    used: new Set(computers.map(({ hardware_id }) => hardware_id)),
    toItem: (row): HardwareItem => ({
      type: types.get(row.number('idtipohardware')) ?? '',
      description: row.text('descripcion'),
    }),
    toRecord: (id, items) => ({ id, items }),
    rows: site.hardware,
  })
  for (const computer of computers) computer.hardware_id = replaced.get(computer.hardware_id) ?? 0
}

/**
 * Reads the lists that images and partitions name. `systemOf`: the name of the operating system with an id. Resolves to
 * the id that stands for each profile.
 */
export async function readSoftware(
  task: SiteImport,
  profiles: Profiles,
  systemOf: (id: number) => string,
): Promise<Map<number, number>> {
  const { site } = task
  const partitions = [...site.partitions.values()].flatMap(({ rows }) => rows)
  const images = [...site.images.values()]
  const replaced = await keepLists(task, softwareTables, {
    profiles,
    used: new Set([...images.map(({ software_id }) => software_id), ...partitions.map(({ software }) => software)]),
    toItem: row => row.text('descripcion'),
    toRecord: (id, programs) => ({ id, os: systemOf(profiles.get(id) ?? 0), programs }),
    rows: site.software,
  })
  for (const image of images) image.software_id = replaced.get(image.software_id) ?? 0
  for (const partition of partitions) partition.software = replaced.get(partition.software) ?? 0
  return replaced
}

interface Lists<Item, Row> {
  profiles: Profiles
  /** The ids that records name. */
  used: ReadonlySet<number>
  toItem(row: SourceRow): Item
  toRecord(id: number, items: Item[]): Row
  rows: Map<number, Row>
}

/** Keeps the lists that are used: equal ones become one, the first of them. Resolves to the id that stands for each. */
async function keepLists<Item, Row extends object>(
  task: SiteImport,
  tables: ProfileTables,
  { profiles, used, toItem, toRecord, rows }: Lists<Item, Row>,
): Promise<Map<number, number>> {
  const table = tables.profiles
  const lists = await readLists(task, tables, used, toItem)
  const replaced = new Map<number, number>()
  const firsts = new Map<string, number>()
  for (const id of profiles.keys()) {
    const drop = (reason: string) => task.report.dropRow({ table, id: String(id) }, reason)
    if (!used.has(id)) {
      drop('no computer, partition or image that is kept names it')
      continue
    }
    const items = lists.get(id) ?? []
    const record = toRecord(id, items)
    const content = JSON.stringify({ ...record, id: 0 })
    const digest = createHash('sha256').update(content).digest('base64')
    const first = firsts.get(digest) ?? id
    firsts.set(digest, first)
    replaced.set(id, first)
    if (first === id) rows.set(id, record)
    else drop(`the same list as ${table} ${first}, which takes its place`)
  }
  return replaced
}

/** The items of the profiles in `used`. Lists share their items, as millions of them may name the same programs. */
async function readLists<Item>(
  { source, report }: SiteImport,
  tables: ProfileTables,
  used: ReadonlySet<number>,
  toItem: (row: SourceRow) => Item,
): Promise<Map<number, Item[]>> {
  const items = new Map<number, { item: Item; isUsed: boolean }>()
  for await (const row of source.rows(tables.items)) {
    items.set(row.number(tables.itemKey), { item: toItem(row), isUsed: false })
  }
  const lists = new Map<number, Item[]>()
  const unusedLinks = new Map<number, number>()
  for await (const row of source.rows(tables.links)) {
    const [profile, id] = [row.number(tables.profileKey), row.number(tables.itemKey)]
    const entry = items.get(id)
    if (!used.has(profile)) unusedLinks.set(profile, (unusedLinks.get(profile) ?? 0) + 1)
    else if (!entry) row.drop(`${tables.itemKey}: there is no ${tables.items} ${id}`)
    else {
      entry.isUsed = true
      const list = lists.get(profile)
      if (list) list.push(entry.item)
      else lists.set(profile, [entry.item])
    }
  }
  // One line for each list, as it may have thousands of programs.
  for (const [id, count] of unusedLinks) {
    report.dropRow({ table: tables.links, id: String(id) }, `its ${tables.profiles} is left out`, count)
  }
  for (const [id, { isUsed }] of items) {
    if (!isUsed) report.dropRow({ table: tables.items, id: String(id) }, 'no list that is kept has it')
  }
  return lists
}
