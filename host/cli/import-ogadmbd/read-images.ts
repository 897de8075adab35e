// Imports images, the partitions of computers, and the names of systems and filesystems that partitions have.
import { fixedFilesystem, toFilesystemId } from '../../../stores/rules/filesystem-names.ts'
import type { Partition } from '../../../stores/store.ts'
import { toName } from '../../computers/inventory.ts'
import { isImageName } from '../../images/image-folder.ts'
import { repositoryOf } from './read-computers.ts'
import { FirstRows, keepRows, rowsWithIds, type SiteImport } from './site.ts'
import type { SourceRow } from './source-row.ts'

/** By the id of a profile. */
type Profiles = ReadonlyMap<number, unknown>

export const readImages = (task: SiteImport, software: Profiles): Promise<void> =>
  keepRows(task, 'imagenes', 'images', (row, id, names) => {
    const name = row.text('nombreca')
    if (!isImageName(name)) return `nombreca: expected a file name, got ${JSON.stringify(name.slice(0, 80))}`
    const conflict = names.conflict(name, row, 'nombreca')
    if (conflict !== undefined) return conflict
    return {
      ...{ id, name },
      description: row.text('descripcion'),
      repo_id: repositoryOf(task, row),
      type: row.wholeNumber('tipo'),
      datasize: row.wholeNumber('datasize'),
      software_id: row.reference('idperfilsoft', 'perfilessoft', software),
      group_id: row.wholeNumber('grupoid'),
      center_id: row.reference('idcentro', 'centros', task.site.centers),
      clonator: row.text('clonator'),
      compressor: row.text('compressor'),
      filesystem: row.text('filesystem'),
    }
  })

/** Resolves to the id of each name of a system; of rows with the same name the first one's. */
export async function readSystems(task: SiteImport): Promise<Map<number, number>> {
  const { systems } = task.site
  const ids = new Map<number, number>()
  const idsByName = new Map<string, number>()
  const names = new FirstRows()
  for await (const { row, id } of rowsWithIds(task, 'nombresos', 'systems')) {
    const name = toName(row.text('nombreso'))
    if (name !== row.text('nombreso')) row.note('nombreso', `stored as agents' reports are: ${name}`)
    const conflict = name === '' ? 'nombreso: it has none' : names.conflict(name, row, 'nombreso')
    if (conflict === undefined) {
      idsByName.set(name, id)
      systems.set(id, { id, name })
    } else row.drop(conflict)
    ids.set(id, idsByName.get(name) ?? 0)
  }
  return ids
}

/** Resolves to the store's number of each filesystem of the database. */
export async function readFilesystems({ source, site }: SiteImport): Promise<Map<number, number>> {
  const numbers = new Map<number, number>()
  const rows = new Map<string, number>()
  for await (const row of source.rows('sistemasficheros')) {
    // As those that agents report are stored.
    const name = toName(row.text('descripcion').toUpperCase())
    const fixed = fixedFilesystem(name)
    const id = rows.get(name) ?? rows.size + 1
    if (fixed === undefined) {
      rows.set(name, id)
      site.filesystems.set(id, { id, name })
    }
    numbers.set(row.number('idsistemafichero'), fixed ?? toFilesystemId(id))
  }
  return numbers
}

interface PartitionNames {
  filesystems: ReadonlyMap<number, number>
  systems: ReadonlyMap<number, number>
  software: Profiles
}

export async function readPartitions(task: SiteImport, names: PartitionNames): Promise<void> {
  const { source, site } = task
  let before = ''
  for await (const row of source.rows('ordenadores_particiones')) {
    const id = row.number('idordenador')
    // Tables without a primary key may have a row twice.
    const isRepeated = row.id === before
    before = row.id
    const reason = isRepeated
      ? 'the same disk and partition as in another row'
      : (row.missing('idordenador', 'ordenadores', site.computers) ??
        (isDiskNumber(row.number('numdisk')) && isDiskNumber(row.number('numpar'))
          ? undefined
          : 'numdisk, numpar: expected numbers from 0 to 9999'))
    if (reason === undefined) {
      const disks = site.partitions.get(id) ?? { id, rows: [] }
      disks.rows.push(toPartition(task, row, names))
      site.partitions.set(id, disks)
    } else row.drop(reason)
  }
}

const isDiskNumber = (number: number) => Number.isInteger(number) && number >= 0 && number <= 9999

function toPartition({ site }: SiteImport, row: SourceRow, names: PartitionNames): Partition {
  const { filesystems, systems, software } = names
  return {
    disk: row.number('numdisk'),
    partition: row.number('numpar'),
    filesystem: filesystems.get(row.reference('idsistemafichero', 'sistemasficheros', filesystems)) ?? 0,
    os: systems.get(row.reference('idnombreso', 'nombresos', systems)) ?? 0,
    code: row.wholeNumber('codpar'),
    size: row.wholeNumber('tamano'),
    used_size: percentOf(row, 'uso'),
    image: row.reference('idimagen', 'imagenes', site.images),
    software: row.reference('idperfilsoft', 'perfilessoft', software),
  }
}

function percentOf(row: SourceRow, column: string): number {
  const number = row.wholeNumber(column)
  if (number > 100) row.note(column, `expected at most 100, got ${number}; it has 100`)
  return Math.min(number, 100)
}

/** A name exists while a partition has it. `filesystems`: the numbers of the database's filesystems. */
export function dropUnusedNames({ site, report }: SiteImport, filesystems: ReadonlyMap<number, number>): void {
  const partitions = [...site.partitions.values()].flatMap(({ rows }) => rows)
  const drop = (table: 'nombresos' | 'sistemasficheros', id: number) =>
    report.dropRow({ table, id: String(id) }, 'no partition has it')
  const usedSystems = new Set(partitions.map(({ os }) => os))
  for (const id of [...site.systems.keys()].filter(id => !usedSystems.has(id))) {
    site.systems.delete(id)
    drop('nombresos', id)
  }
  const usedNumbers = new Set(partitions.map(({ filesystem }) => filesystem))
  for (const [id, number] of filesystems) if (!usedNumbers.has(number)) drop('sistemasficheros', id)
}
