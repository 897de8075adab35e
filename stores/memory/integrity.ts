// Integrity check: finds rows that contradict each other, which only a bug or a failing disk can cause.
import { partsOf } from './job-parts.ts'
import { runsScheduledCommand } from './schedules.ts'
import { jobIdOf } from './tables/part-ids.ts'
import { forEachStringId } from './tables/profile-lists.ts'
import type { Row } from './tables/row-types.ts'
import type { Table } from './tables/table.ts'
import type { Tables } from './tables/tables.ts'

/** Adds a problem when the condition does not hold. */
type Check = (condition: unknown, problem: string) => void

/** Returns one line for each contradiction. */
export function checkIntegrity(tables: Tables): string[] {
  const problems: string[] = []
  const check: Check = (condition, problem) => {
    if (!condition) problems.push(problem)
  }
  checkKeys(tables, check)
  checkCenters(tables, check)
  checkInventory(tables, check)
  checkProfiles(tables, check)
  checkProcedures(tables, check)
  checkJobs(tables, check)
  checkTokensAndUsers(tables, check)
  checkModules(tables, check)
  return problems
}

function checkKeys({ all }: Tables, check: Check): void {
  const tables: [string, Pick<Table<Row>, 'all' | 'isTaken'>][] = Object.entries(all)
  for (const [name, table] of tables) {
    for (const row of table.all()) {
      const key = 'list' in row ? 'list' : 'ip' in row ? 'address' : 'key' in row ? 'key' : 'name'
      check(!table.isTaken(row), `${name} ${row.id}: ${key} taken twice`)
    }
  }
}

function checkCenters({ all }: Tables, check: Check): void {
  for (const { id, center } of all.rooms.all()) {
    check(all.centers.get(center), `room ${id}: no center ${center}`)
  }
  for (const { id, room, repo_id } of all.computers.all()) {
    check(all.rooms.get(room), `computer ${id}: no room ${room}`)
    check(all.repositories.get(repo_id), `computer ${id}: no repository ${repo_id}`)
  }
}

function checkInventory({ all }: Tables, check: Check): void {
  for (const { id, rows } of all.partitions.all()) {
    check(all.computers.get(id), `partitions ${id}: no computer ${id}`)
    for (const { os, image, software } of rows) {
      check(os === 0 || all.systems.get(os), `partitions ${id}: no system ${os}`)
      check(image === 0 || all.images.get(image), `partitions ${id}: no image ${image}`)
      check(software === 0 || all.software.get(software), `partitions ${id}: no software ${software}`)
    }
  }
}

function checkProfiles({ all, references }: Tables, check: Check): void {
  for (const table of ['hardware', 'software'] as const) {
    for (const { id, list } of all[table].all()) {
      forEachStringId(list, string => check(all.strings.get(string), `${table} ${id}: no string ${string}`))
      check(references[table].has(id), `${table} ${id}: not used`)
    }
  }
  for (const table of ['strings', 'systems', 'filesystems'] as const) {
    for (const { id } of all[table].all()) check(references[table].has(id), `${table} ${id}: not used`)
  }
}

/** Steps and schedules may name what is missing: it was deleted with its center. */
function checkProcedures({ all }: Tables, check: Check): void {
  for (const table of ['procedures', 'tasks'] as const) {
    for (const { id, center } of all[table].all()) {
      check(all.centers.get(center), `${table} ${id}: no center ${center}`)
    }
  }
  const schedules = [...all.schedules.all()]
  for (const { id } of all.errands.all()) {
    const isScheduled = schedules.some(schedule => runsScheduledCommand(schedule, id))
    check(isScheduled, `scheduled command ${id}: no schedule names it`)
  }
}

function checkJobs(tables: Tables, check: Check): void {
  const { all, partCounter } = tables
  const owners = new Set([...all.parts.all()].map(jobIdOf))
  for (const id of owners) check(all.jobs.get(id), `parts ${id}: no job ${id}`)
  for (const { id } of all.jobs.all()) {
    const indexes = [...partsOf(tables, id)].map(({ index }) => index)
    const isComplete = indexes.length === partCounter.totalOf(id) && indexes.every((index, at) => index === at)
    check(isComplete, `job ${id}: parts are missing`)
  }
}

/** An id that was assigned may be that of a deleted row; any other one would be given to a later row. */
function checkTokensAndUsers({ all }: Tables, check: Check): void {
  for (const table of ['tokens', 'users'] as const) {
    for (const { id, centers, rooms } of all[table].all()) {
      for (const center of centers) check(center <= all.centers.last, `${table} ${id}: center ${center} never existed`)
      for (const room of rooms) check(room <= all.rooms.last, `${table} ${id}: room ${room} never existed`)
    }
  }
}

function checkModules({ all }: Tables, check: Check): void {
  for (const { id, value, version } of all.documents.all()) {
    check(version > 0, `documents ${id}: expected a version from 1 on, got ${version}`)
    check(isJson(value), `documents ${id}: value is not JSON`)
  }
  const [loss] = all.losses.all()
  check((loss?.event ?? 0) <= all.events.last, `events: ${loss?.event} was lost and never existed`)
  for (const { id, event } of all.events.all()) {
    check(id > (loss?.event ?? 0), `events ${id}: counts as lost`)
    check(isJson(event), `events ${id}: is not JSON`)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
