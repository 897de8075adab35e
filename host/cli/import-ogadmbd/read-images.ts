// Imports images and the partitions of computers; both name lists of software.
import type { Image, Partition } from '../../../stores/store.ts'
import { isImageName } from '../../images/image-folder.ts'
import { repositoryOf } from './read-computers.ts'
import type { FilesystemNumbers } from './read-names.ts'
import { absenceReason, FirstRows, keepRows, missingReason, type SiteImport } from './site.ts'
import type { SourceRow } from './source-database.ts'
import type { SourceTable } from './source-tables.ts'

/** `software`: the ids of the profiles that exist. */
export function readImages(task: SiteImport, software: ReadonlySet<number>): Promise<void> {
  const names = new FirstRows()
  return keepRows(task, 'imagenes', 'images', (row, id) => {
    const name = row.text('nombreca')
    if (!isImageName(name)) return `nombreca: expected a file name, got ${JSON.stringify(name.slice(0, 80))}`
    return names.conflict(name, row, 'nombreca') ?? toImage(task, row, { id, name, software })
  })
}

interface ImageKey extends Pick<Image, 'id' | 'name'> {
  software: ReadonlySet<number>
}

function toImage(task: SiteImport, row: SourceRow, { id, name, software }: ImageKey): Image {
  return {
    id,
    name,
    description: row.text('descripcion'),
    repo_id: repositoryOf(task, row),
    type: numberOf(task, row, 'tipo'),
    datasize: numberOf(task, row, 'datasize'),
    software_id: referenceOf(task, row, 'idperfilsoft', 'perfilessoft', software),
    group_id: numberOf(task, row, 'grupoid'),
    center_id: referenceOf(task, row, 'idcentro', 'centros', task.site.centers),
    clonator: row.text('clonator'),
    compressor: row.text('compressor'),
    filesystem: row.text('filesystem'),
  }
}

/** The rows that a column may name. */
export interface KnownIds {
  has(id: number): boolean
}

export interface PartitionNames {
  filesystems: FilesystemNumbers
  /** Of names that several rows have: the id of the first one. */
  systems: ReadonlyMap<number, number>
  software: ReadonlySet<number>
}

export async function readPartitions(task: SiteImport, names: PartitionNames): Promise<void> {
  const { source, site, report } = task
  let before = ''
  for await (const row of source.rows('ordenadores_particiones')) {
    const id = row.number('idordenador')
    const reason = partitionReason(task, row, before)
    before = row.id
    if (reason === undefined) {
      const disks = site.partitions.get(id) ?? { id, rows: [] }
      disks.rows.push(toPartition(task, row, names))
      site.partitions.set(id, disks)
    } else report.dropRow(row, reason)
  }
}

/** Why a row is left out; `before`: the id of the one before it. */
function partitionReason({ site }: SiteImport, row: SourceRow, before: string): string | undefined {
  // Tables without a primary key may have a row twice.
  if (row.id === before) return 'the same disk and partition as in another row'
  const computer = row.number('idordenador')
  if (!site.computers.has(computer)) return missingReason('idordenador', 'ordenadores', computer)
  const isValid = isPlace(row.number('numdisk')) && isPlace(row.number('numpar'))
  return isValid ? undefined : 'numdisk, numpar: expected numbers from 0 to 9999'
}

const isPlace = (number: number) => Number.isInteger(number) && number >= 0 && number <= 9999

function toPartition(task: SiteImport, row: SourceRow, names: PartitionNames): Partition {
  const { filesystems, systems, software } = names
  const filesystem = referenceOf(task, row, 'idsistemafichero', 'sistemasficheros', filesystems)
  const os = referenceOf(task, row, 'idnombreso', 'nombresos', systems)
  return {
    disk: row.number('numdisk'),
    partition: row.number('numpar'),
    code: numberOf(task, row, 'codpar'),
    size: numberOf(task, row, 'tamano'),
    used_size: percentOf(task, row, 'uso'),
    filesystem: filesystems.get(filesystem) ?? 0,
    os: systems.get(os) ?? 0,
    image: referenceOf(task, row, 'idimagen', 'imagenes', task.site.images),
    software: referenceOf(task, row, 'idperfilsoft', 'perfilessoft', software),
  }
}

/** The id in a column; 0 when it names no row. */
function referenceOf(
  { report }: SiteImport,
  row: SourceRow,
  column: string,
  table: SourceTable,
  known: KnownIds,
): number {
  const id = row.number(column)
  if (id === 0 || known.has(id)) return id
  report.addProblem(row, column, absenceReason(table, id))
  return 0
}

/** A whole number from 0 on; 0 for any other value. */
function numberOf({ report }: SiteImport, row: SourceRow, column: string): number {
  const number = row.number(column)
  if (Number.isSafeInteger(number) && number >= 0) return number
  report.addProblem(row, column, `expected a whole number from 0 on, got ${row.text(column)}`)
  return 0
}

function percentOf(task: SiteImport, row: SourceRow, column: string): number {
  const number = numberOf(task, row, column)
  if (number > 100) task.report.addProblem(row, column, `expected at most 100, got ${number}; it has 100`)
  return Math.min(number, 100)
}
