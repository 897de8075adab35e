// Imports computers with their seats.
import type { Computer, Place, Room } from '../../../stores/store.ts'
import { completeRecord } from '../../computers/new-record.ts'
import { absenceReason, FirstRows, keepRows, missingReason, type SiteImport } from './site.ts'
import type { SourceRow } from './source-database.ts'

/** `hardware`: the ids of the profiles that exist. */
export function readComputers(task: SiteImport, hardware: ReadonlySet<number>): Promise<void> {
  const { site, report, checks } = task
  const [addresses, hardwareAddresses] = [new FirstRows(), new FirstRows()]
  return keepRows(task, 'ordenadores', 'computers', (row, id) => {
    const room = site.rooms.get(row.number('idaula'))
    if (!room) return missingReason('idaula', 'aulas', row.number('idaula'))
    const [name, ip, mac] = [row.text('nombreordenador'), row.text('ip'), row.text('mac')]
    const key = { name, ip, mac, room: room.id }
    const reason = checks.mismatch('client-add', key) ?? addresses.conflict(ip, row, 'ip')
    if (reason !== undefined) return reason
    const computer = toComputer(task, row, { id, name, ip, mac, room })
    const hardware_id = hardwareOf(task, row, hardware)
    const shared = hardwareAddresses.holder(computer.mac.toLowerCase(), row)
    if (shared !== undefined) report.addProblem(row, 'mac', `${shared}; both are kept, but share their boot files`)
    return { ...computer, hardware_id }
  })
}

interface ComputerKey extends Pick<Computer, 'id' | 'name' | 'ip' | 'mac'> {
  room: Room
}

function toComputer(task: SiteImport, row: SourceRow, { id, name, ip, mac, room }: ComputerKey): Computer {
  const [gateway, place] = [row.text('router'), placeOf(task, row)]
  if (gateway !== '' && gateway !== room.gateway) {
    task.report.addProblem(row, 'router', `expected the router of its room, ${room.gateway || 'none'}; got ${gateway}`)
  }
  // The default of a field stands for an empty value, too.
  const orDefault = (column: string) => row.text(column) || undefined
  const record = completeRecord(
    {
      ...{ name, ip, mac, room: room.id },
      netmask: netmaskOf(task, row),
      boot: orDefault('arranque'),
      remote: row.flag('inremotepc'),
      serial_number: row.text('numserie'),
      repo_id: repositoryOf(task, row),
      netiface: orDefault('netiface'),
      netdriver: orDefault('netdriver'),
      livedir: orDefault('oglivedir'),
      maintenance: row.flag('maintenance'),
      ...(place && { place }),
    },
    room,
  )
  return { id, ...record }
}

function netmaskOf({ checks, report }: SiteImport, row: SourceRow): string {
  const netmask = row.text('mascara')
  const reason = netmask === '' ? undefined : checks.mismatch('room-add', { name: 'any', center: 1, netmask })
  if (reason === undefined) return netmask
  report.addProblem(row, 'mascara', `${reason}; it has that of its room`)
  return ''
}

function placeOf({ checks, report }: SiteImport, row: SourceRow): Place | undefined {
  const place = { row: row.number('n_row'), column: row.number('n_col') }
  if (place.row === 0 && place.column === 0) return undefined
  const reason = checks.mismatch('client-add', { name: 'any', ip: '127.0.0.1', mac: '0'.repeat(12), room: 1, place })
  if (reason === undefined) return place
  report.addProblem(row, 'n_row, n_col', reason)
  return undefined
}

/** Of a computer or an image: repository 1 for none. */
export function repositoryOf({ site, report }: SiteImport, row: SourceRow): number {
  const id = row.number('idrepositorio')
  if (id === 0 || site.repositories.has(id)) return id || 1
  report.addProblem(row, 'idrepositorio', `${absenceReason('repositorios', id)}; it has repository 1`)
  return 1
}

function hardwareOf({ report }: SiteImport, row: SourceRow, profiles: ReadonlySet<number>): number {
  const id = row.number('idperfilhard')
  if (id === 0 || profiles.has(id)) return id
  report.addProblem(row, 'idperfilhard', absenceReason('perfileshard', id))
  return 0
}
