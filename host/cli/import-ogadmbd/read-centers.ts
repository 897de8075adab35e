// Imports centers, rooms and repositories.
import type { Repository } from '../../../stores/store.ts'
import { FirstRows, keepRows, missingReason, type SiteImport } from './site.ts'

/** Groups of rooms by their id, with the groups in them. A room has the number of its group only. */
export type RoomGroups = Map<number, { parent: number }>

/** `tipo` of a group of rooms. */
const groupOfRooms = 2

export function readCenters(task: SiteImport): Promise<void> {
  const names = new FirstRows()
  return keepRows(task, 'centros', 'centers', (row, id) => {
    const name = row.text('nombrecentro')
    const reason = task.checks.mismatch('center-add', { name }) ?? names.conflict(name, row, 'nombrecentro')
    return reason ?? { id, name, comment: row.text('comentarios') }
  })
}

export async function readRoomGroups({ source, report }: SiteImport): Promise<RoomGroups | undefined> {
  if (!source.has('grupos')) return undefined
  const groups: RoomGroups = new Map()
  for await (const row of source.rows('grupos')) {
    if (row.number('tipo') === groupOfRooms) {
      groups.set(row.number('idgrupo'), { parent: row.number('grupoid') })
      report.dropRow(row, 'groups have no names here: rooms keep the number of theirs')
    } else report.dropRow(row, 'a group of something other than rooms')
  }
  return groups
}

export function readRooms(task: SiteImport, groups: RoomGroups | undefined): Promise<void> {
  const { site, report, checks } = task
  const names = new FirstRows()
  return keepRows(task, 'aulas', 'rooms', (row, id) => {
    const [name, center] = [row.text('nombreaula'), row.number('idcentro')]
    const netmask = row.text('netmask')
    const wrongNetmask = checks.mismatch('room-add', { name: 'any', center, netmask })
    const reason = !site.centers.has(center)
      ? missingReason('idcentro', 'centros', center)
      : (checks.mismatch('center-add', { name }) ?? names.conflict(`${center} ${name}`, row, 'nombreaula'))
    if (reason !== undefined) return reason
    if (wrongNetmask !== undefined) report.addProblem(row, 'netmask', wrongNetmask)
    const group = row.number('grupoid')
    const hasGroup = groups === undefined || groups.has(group)
    if (group !== 0 && !hasGroup) report.addProblem(row, 'grupoid', `there is no group of rooms ${group}`)
    return {
      id,
      center,
      name,
      netmask: wrongNetmask === undefined ? netmask : '',
      location: row.text('ubicacion'),
      gateway: row.text('router'),
      ntp: row.text('ntp'),
      dns: row.text('dns'),
      group: hasGroup ? group : 0,
      remote: row.flag('inremotepc'),
    }
  })
}

export async function readRepositories(task: SiteImport): Promise<void> {
  const { site, checks } = task
  const names = new FirstRows()
  await keepRows(task, 'repositorios', 'repositories', (row, id) => {
    const [name, ip] = [row.text('nombrerepositorio'), row.text('ip')]
    const reason = checks.mismatch('repository-add', { name, ip }) ?? names.conflict(name, row, 'nombrerepositorio')
    return reason ?? { id, name, ip }
  })
  if (!site.repositories.has(1)) site.repositories.set(1, defaultRepository([...site.repositories.values()]))
}

/** Repository 1 always exists; without an address it is on this server. */
function defaultRepository(others: Repository[]): Repository {
  let name = 'default'
  while (others.some(other => other.name === name)) name += ' 1'
  return { id: 1, name, ip: '' }
}
