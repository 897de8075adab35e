// Imports centers, rooms, repositories, and computers with their seats.
import type { Computer, Place, Room } from '../../../stores/store.ts'
import { completeRecord } from '../../computers/new-record.ts'
import { FirstRows, keepRows, type SiteImport } from './site.ts'
import type { SourceRow } from './source-row.ts'

/** Groups of rooms by their id, with the groups in them. A room has the number of its group only. */
export type RoomGroups = Map<number, { parent: number }>

/** `tipo` of a group of rooms. */
const groupOfRooms = 2

export const readCenters = (task: SiteImport): Promise<void> =>
  keepRows(task, 'centros', 'centers', (row, id, names) => {
    const name = row.text('nombrecentro')
    const reason = task.checks.mismatch('center-add', { name }) ?? names.conflict(name, row, 'nombrecentro')
    return reason ?? { id, name, comment: row.text('comentarios') }
  })

export async function readRoomGroups({ source }: SiteImport): Promise<RoomGroups | undefined> {
  if (!source.has('grupos')) return undefined
  const groups: RoomGroups = new Map()
  for await (const row of source.rows('grupos')) {
    if (row.number('tipo') === groupOfRooms) {
      groups.set(row.number('idgrupo'), { parent: row.number('grupoid') })
      row.drop('groups have no names here: rooms keep the number of theirs')
    } else row.drop('a group of something other than rooms')
  }
  return groups
}

export const readRooms = (task: SiteImport, groups: RoomGroups | undefined): Promise<void> =>
  keepRows(task, 'aulas', 'rooms', (row, id, names) => {
    const { site, checks } = task
    const [name, center, group] = [row.text('nombreaula'), row.number('idcentro'), row.number('grupoid')]
    const reason =
      row.missing('idcentro', 'centros', site.centers) ??
      checks.mismatch('center-add', { name }) ??
      names.conflict(`${center} ${name}`, row, 'nombreaula')
    if (reason !== undefined) return reason
    const netmask = netmaskOf(task, row, 'netmask')
    const hasGroup = groups === undefined || groups.has(group)
    if (group !== 0 && !hasGroup) row.note('grupoid', `there is no group of rooms ${group}`)
    return {
      ...{ id, center, name, netmask },
      location: row.text('ubicacion'),
      gateway: row.text('router'),
      ntp: row.text('ntp'),
      dns: row.text('dns'),
      group: hasGroup ? group : 0,
      remote: row.flag('inremotepc'),
    }
  })

/** '' for one that is none. */
function netmaskOf({ checks }: SiteImport, row: SourceRow, column: string, consequence = ''): string {
  const netmask = row.text(column)
  const reason = checks.mismatch('room-add', { name: 'any', center: 1, netmask })
  if (reason === undefined) return netmask
  row.note(column, `${reason}${consequence}`)
  return ''
}

export async function readRepositories(task: SiteImport): Promise<void> {
  const { repositories } = task.site
  await keepRows(task, 'repositorios', 'repositories', (row, id, names) => {
    const [name, ip] = [row.text('nombrerepositorio'), row.text('ip')]
    const mismatch = task.checks.mismatch('repository-add', { name, ip })
    return mismatch ?? names.conflict(name, row, 'nombrerepositorio') ?? { id, name, ip }
  })
  // Repository 1 always exists; without an address it is on this server.
  let name = 'default'
  while ([...repositories.values()].some(other => other.name === name)) name += ' 1'
  if (!repositories.has(1)) repositories.set(1, { id: 1, name, ip: '' })
}

/** Of a computer or an image: repository 1 for none. */
export const repositoryOf = ({ site }: SiteImport, row: SourceRow): number =>
  row.reference('idrepositorio', 'repositorios', site.repositories, '; it has repository 1') || 1

/** `hardware`: the ids of the profiles that exist. */
export function readComputers(task: SiteImport, hardware: ReadonlyMap<number, unknown>): Promise<void> {
  const hardwareAddresses = new FirstRows()
  return keepRows(task, 'ordenadores', 'computers', (row, id, addresses) => {
    const room = task.site.rooms.get(row.number('idaula'))
    if (!room) return row.missing('idaula', 'aulas', task.site.rooms) ?? ''
    const [name, ip, mac] = [row.text('nombreordenador'), row.text('ip'), row.text('mac')]
    const mismatch = task.checks.mismatch('client-add', { name, ip, mac, room: room.id })
    const reason = mismatch ?? addresses.conflict(ip, row, 'ip')
    if (reason !== undefined) return reason
    const computer = toComputer(task, row, { id, name, ip, mac, room })
    const hardware_id = row.reference('idperfilhard', 'perfileshard', hardware)
    const holder = hardwareAddresses.holder(computer.mac.toLowerCase(), row)
    if (holder !== undefined) row.note('mac', `${holder}; both are kept, but share their boot files`)
    return { ...computer, hardware_id }
  })
}

function toComputer(
  task: SiteImport,
  row: SourceRow,
  { id, name, ip, mac, room }: Pick<Computer, 'id' | 'name' | 'ip' | 'mac'> & { room: Room },
): Computer {
  const [gateway, seat] = [row.text('router'), seatOf(task, row)]
  if (gateway !== '' && gateway !== room.gateway)
    row.note('router', `expected the router of its room, ${room.gateway || 'none'}; got ${gateway}`)
  // The default of a field stands for an empty value, too.
  const orDefault = (column: string) => row.text(column) || undefined
  const record = completeRecord(
    {
      ...{ name, ip, mac, room: room.id },
      netmask: row.text('mascara') && netmaskOf(task, row, 'mascara', '; it has that of its room'),
      boot: orDefault('arranque'),
      remote: row.flag('inremotepc'),
      serial_number: row.text('numserie'),
      repo_id: repositoryOf(task, row),
      netiface: orDefault('netiface'),
      netdriver: orDefault('netdriver'),
      livedir: orDefault('oglivedir'),
      maintenance: row.flag('maintenance'),
      ...(seat && { place: seat }),
    },
    room,
  )
  return { id, ...record }
}

function seatOf({ checks }: SiteImport, row: SourceRow): Place | undefined {
  const place = { row: row.number('n_row'), column: row.number('n_col') }
  if (place.row === 0 && place.column === 0) return undefined
  const reason = checks.mismatch('client-add', { name: 'any', ip: '127.0.0.1', mac: '0'.repeat(12), room: 1, place })
  if (reason === undefined) return place
  row.note('n_row, n_col', reason)
  return undefined
}
