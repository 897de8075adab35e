// Imports the lists of hardware and of software that computers and images share.
import { createHash } from 'node:crypto'
import type { HardwareItem } from '../../../stores/store.ts'
import { rowsWithIds, type SiteImport } from './site.ts'
import type { SourceDatabase, SourceRow } from './source-database.ts'
import type { SourceTable } from './source-tables.ts'

/** A kind of lists: `links` has a row for each item of each list. */
interface ProfileTables {
  profiles: SourceTable
  links: SourceTable
  items: SourceTable
  profileKey: string
  itemKey: string
}

const hardwareTables: ProfileTables = {
  profiles: 'perfileshard',
  links: 'perfileshard_hardwares',
  items: 'hardwares',
  profileKey: 'idperfilhard',
  itemKey: 'idhardware',
}

const softwareTables: ProfileTables = {
  profiles: 'perfilessoft',
  links: 'perfilessoft_softwares',
  items: 'softwares',
  profileKey: 'idperfilsoft',
  itemKey: 'idsoftware',
}

/** Each profile with the id of its operating system, 0 for none. */
export async function readSoftwareProfiles(task: SiteImport): Promise<Map<number, number>> {
  const profiles = new Map<number, number>()
  for await (const { row, id } of rowsWithIds(task, 'perfilessoft', 'software')) {
    profiles.set(id, row.number('idnombreso'))
  }
  return profiles
}

export async function readHardwareProfiles(task: SiteImport): Promise<Map<number, number>> {
  const profiles = new Map<number, number>()
  for await (const { id } of rowsWithIds(task, 'perfileshard', 'hardware')) profiles.set(id, 0)
  return profiles
}

/** Reads the lists that computers name. Equal lists become one, and the computers name that one. */
export async function readHardware(task: SiteImport, profiles: ReadonlyMap<number, number>): Promise<void> {
  const { source, site } = task
  const types = new Map<number, string>()
  for await (const row of source.rows('tipohardwares')) {
    types.set(row.number('idtipohardware'), row.text('descripcion') || row.text('nemonico'))
  }
  const toItem = (row: SourceRow): HardwareItem => ({
    type: types.get(row.number('idtipohardware')) ?? '',
    description: row.text('descripcion'),
  })
  const used = new Set([...site.computers.values()].map(({ hardware_id }) => hardware_id))
  const lists = await readLists(source, task, hardwareTables, used, toItem)
  const replaced = mergeEqual(task, hardwareTables, profiles, used, id => lists.get(id) ?? [])
  for (const id of replaced.keys()) {
    if (replaced.get(id) === id) site.hardware.set(id, { id, items: lists.get(id) ?? [] })
  }
  for (const computer of site.computers.values()) {
    computer.hardware_id = replaced.get(computer.hardware_id) ?? 0
  }
}

/**
 * Reads the lists that images and partitions name. `systemOf`: the name of the operating system with an id. Resolves to
 * the id that stands for each profile.
 */
export async function readSoftware(
  task: SiteImport,
  profiles: ReadonlyMap<number, number>,
  systemOf: (id: number) => string,
): Promise<Map<number, number>> {
  const { source, site } = task
  const partitions = [...site.partitions.values()].flatMap(({ rows }) => rows)
  const images = [...site.images.values()]
  const used = new Set([...images.map(({ software_id }) => software_id), ...partitions.map(({ software }) => software)])
  const lists = await readLists(source, task, softwareTables, used, row => row.text('descripcion'))
  const softwareOf = (id: number) => ({ os: systemOf(profiles.get(id) ?? 0), programs: lists.get(id) ?? [] })
  const replaced = mergeEqual(task, softwareTables, profiles, used, softwareOf)
  for (const id of replaced.keys()) {
    if (replaced.get(id) === id) site.software.set(id, { id, ...softwareOf(id) })
  }
  for (const image of images) image.software_id = replaced.get(image.software_id) ?? 0
  for (const partition of partitions) partition.software = replaced.get(partition.software) ?? 0
  return replaced
}

/** The items of the profiles in `used`. Lists share their items, as millions of them may name the same programs. */
async function readLists<Item>(
  source: SourceDatabase,
  { report }: SiteImport,
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
    else if (!entry) report.dropRow(row, `${tables.itemKey}: there is no ${tables.items} ${id}`)
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

/** The profile that stands for each one in `used`: the first of those with the same content. Drops all others. */
function mergeEqual(
  { report }: SiteImport,
  { profiles: table }: ProfileTables,
  profiles: ReadonlyMap<number, number>,
  used: ReadonlySet<number>,
  contentOf: (id: number) => object,
): Map<number, number> {
  const replaced = new Map<number, number>()
  const firsts = new Map<string, number>()
  for (const id of profiles.keys()) {
    if (!used.has(id)) {
      report.dropRow({ table, id: String(id) }, 'no computer, partition or image that is kept names it')
      continue
    }
    const digest = createHash('sha256')
      .update(JSON.stringify(contentOf(id)))
      .digest('base64')
    const first = firsts.get(digest) ?? id
    firsts.set(digest, first)
    replaced.set(id, first)
    if (first !== id)
      report.dropRow({ table, id: String(id) }, `the same list as ${table} ${first}, which takes its place`)
  }
  return replaced
}
