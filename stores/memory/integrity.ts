// Looks for rows that contradict each other; there are none unless this code or the disk has failed.
import { jobOf, partsOf } from './parts.ts'
import { namesErrand } from './schedules.ts'
import { unpack } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'

/** One line for each contradiction. */
export function audit(tables: Tables): string[] {
  return [...auditInventory(tables), ...auditWork(tables)]
}

function auditInventory({ all, by, uses }: Tables): string[] {
  const found: string[] = []
  const need = (known: unknown, what: string) => known || found.push(what)
  for (const { id, name } of all.centers.all()) need(by.centerName.id(name) === id, `center ${id}: name taken twice`)
  for (const { id, center, name } of all.rooms.all()) {
    need(by.roomName.id(`${center} ${name}`) === id, `room ${id}: name taken twice`)
    need(all.centers.get(center), `room ${id}: no center ${center}`)
  }
  for (const { id, name } of all.images.all()) need(by.imageName.id(name) === id, `image ${id}: name taken twice`)
  for (const { id, ip, room, repo_id } of all.computers.all()) {
    need(by.address.id(ip) === id, `computer ${id}: address taken twice`)
    need(all.rooms.get(room), `computer ${id}: no room ${room}`)
    need(all.repositories.get(repo_id), `computer ${id}: no repository ${repo_id}`)
  }
  for (const { id, rows } of all.partitions.all()) {
    need(all.computers.get(id), `partitions ${id}: no computer ${id}`)
    for (const { os, image, software } of rows) {
      need(os === 0 || all.systems.get(os), `partitions ${id}: no system ${os}`)
      need(image === 0 || all.images.get(image), `partitions ${id}: no image ${image}`)
      need(software === 0 || all.software.get(software), `partitions ${id}: no software ${software}`)
    }
  }
  for (const kind of ['hardware', 'software'] as const) {
    for (const { id, list } of all[kind].all()) {
      unpack(list, string => need(all.strings.get(string), `${kind} ${id}: no string ${string}`))
      need(uses[kind].used(id), `${kind} ${id}: nobody uses it`)
    }
  }
  for (const { id } of all.strings.all()) need(uses.strings.used(id), `string ${id}: nobody uses it`)
  return found
}

/** What steps and schedules name may be missing: it goes with its center. */
function auditWork(tables: Tables): string[] {
  const { all, by, tally } = tables
  const found: string[] = []
  const need = (known: unknown, what: string) => known || found.push(what)
  for (const kind of ['procedures', 'tasks'] as const) {
    for (const { id, center, name } of all[kind].all()) {
      need(by[kind].id(`${center} ${name}`) === id, `${kind} ${id}: name taken twice`)
      need(all.centers.get(center), `${kind} ${id}: no center ${center}`)
    }
  }
  const schedules = [...all.schedules.all()]
  for (const { id } of all.errands.all()) {
    need(
      schedules.some(schedule => namesErrand(schedule, id)),
      `errand ${id}: no schedule names it`,
    )
  }
  const owners = new Set([...all.parts.all()].map(jobOf))
  for (const id of owners) need(all.jobs.get(id), `parts ${id}: no job ${id}`)
  for (const { id } of all.jobs.all()) {
    const numbers = [...partsOf(tables, id)].map(({ index }) => index)
    const isWhole = numbers.length === tally.total(id) && numbers.every((number, at) => number === at)
    need(isWhole, `job ${id}: parts are missing`)
  }
  return found
}
