// Imports the names of operating systems and filesystems.
import type { Room } from '../../../stores/store.ts'
import { toName } from '../../computers/inventory.ts'
import { completeRecord } from '../../computers/new-record.ts'
import { loadAdapter } from '../../store/open-store.ts'
import { FirstRows, rowsWithIds, type SiteImport } from './site.ts'

/** The store's number of each filesystem of the database. */
export type FilesystemNumbers = ReadonlyMap<number, number>

/** Resolves to the id of each name; of rows with the same name the first one's. */
export async function readSystems(task: SiteImport): Promise<Map<number, number>> {
  const { site, report } = task
  const ids = new Map<number, number>()
  const idsByName = new Map<string, number>()
  const names = new FirstRows()
  for await (const { row, id } of rowsWithIds(task, 'nombresos', 'systems')) {
    const name = toName(row.text('nombreso'))
    if (name !== row.text('nombreso')) report.addProblem(row, 'nombreso', `stored as agents' reports are: ${name}`)
    const conflict = name === '' ? 'nombreso: it has none' : names.conflict(name, row, 'nombreso')
    if (conflict === undefined) {
      idsByName.set(name, id)
      site.systems.set(id, { id, name })
    } else report.dropRow(row, conflict)
    ids.set(id, idsByName.get(name) ?? 0)
  }
  return ids
}

/** Resolves to the numbers of all filesystems. */
export async function readFilesystems({ source, site }: SiteImport): Promise<FilesystemNumbers> {
  const names = new Map<number, string>()
  for await (const row of source.rows('sistemasficheros')) {
    // As those that agents report are stored.
    names.set(row.number('idsistemafichero'), toName(row.text('descripcion').toUpperCase()))
  }
  const numbers = await assignNumbers([...new Set(names.values())], site.filesystems)
  return new Map([...names].map(([id, name]) => [id, numbers.get(name) ?? 0]))
}

/** Which number a filesystem has is a rule of the store: one in memory assigns them. `rows` gets the names with a row. */
async function assignNumbers(
  names: string[],
  rows: Map<number, { id: number; name: string }>,
): Promise<Map<string, number>> {
  const { default: open } = await loadAdapter({ adapter: 'memory' })
  const store = await open({ adapter: 'memory', path: '' }, { info() {}, warn() {} })
  await store.centers.add({ name: 'any', comment: '' })
  await store.rooms.add(anyRoom)
  await store.computers.add([completeRecord(anyComputer, anyRoom)])
  const entries = names.map((filesystem, partition) => {
    return { disk: 1, partition, code: 0, size: 0, used_size: 0, filesystem, os: '' }
  })
  await store.inventory.refresh(anyComputer.ip, { rows: entries, serial_number: '' })
  for await (const [collection, row] of store.backup.dump()) {
    if (collection === 'filesystems' && row instanceof Object && 'name' in row)
      rows.set(row.id, { id: row.id, name: row.name })
  }
  const partitions = await store.inventory.partitions(anyComputer.ip)
  await store.close()
  return new Map(partitions.map(({ partition, filesystem }) => [names[partition] ?? '', filesystem]))
}

const anyRoom: Room = {
  id: 1,
  center: 1,
  name: 'any',
  netmask: '',
  location: '',
  gateway: '',
  ntp: '',
  dns: '',
  group: 0,
  remote: false,
}

const anyComputer = { name: 'any', ip: '127.0.0.1', mac: '000000000000', room: 1 }

/** A name exists while a partition has it. `filesystems`: the numbers of the database's filesystems. */
export function dropUnusedNames({ site, report }: SiteImport, filesystems: FilesystemNumbers): void {
  const partitions = [...site.partitions.values()].flatMap(({ rows }) => rows)
  const usedSystems = new Set(partitions.map(({ os }) => os))
  for (const id of [...site.systems.keys()].filter(id => !usedSystems.has(id))) {
    site.systems.delete(id)
    report.dropRow({ table: 'nombresos', id: String(id) }, 'no partition has it')
  }
  const usedNumbers = new Set(partitions.map(({ filesystem }) => filesystem))
  for (const [id, number] of filesystems) {
    if (!usedNumbers.has(number)) report.dropRow({ table: 'sistemasficheros', id: String(id) }, 'no partition has it')
  }
}
