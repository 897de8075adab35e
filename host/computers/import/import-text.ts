// Imports the computers of a text: all of them, or none.
import type { Computer, ComputerChange, New, Room, Store } from '../../../stores/store.ts'
import type { ComputerFiles } from '../../boot/computer-files.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Changer, ComputersService, FleetService, ImportRequest, Refusal } from '../../contract/services.ts'
import { jobsOn, listsOf } from '../../schedules/waiting-jobs.ts'
import type { Keep } from '../../store/undo-bin.ts'
import { outsideNetwork } from '../outside-network.ts'
import { type ComparedRow, compareRows } from './compare-rows.ts'
import { readCsv, readDhcpd } from './formats.ts'
import { createReport } from './import-report.ts'
import { readRecordNames } from './record-names.ts'
import type { ImportConflict, Imported } from './validate-rows.ts'

export interface ImportDeps {
  store: Store
  keep: Keep
  fleet: Pick<FleetService, 'clearOutput'>
  computerFiles: Pick<ComputerFiles, 'exclusive' | 'saveWithFiles' | 'removeFormer'>
  /** Drops the outputs and the queued work of the clients at these computers' addresses. */
  forgetClients(computers: Computer[], reason: string): void | Promise<void>
}

export function createImport(deps: ImportDeps): ComputersService['import'] {
  return async (request, changer) => {
    const imported = await (request.format === 'csv' ? readCsv(request.text) : readDhcpd(request.text))
    // The text is read before, as the lock keeps others from changing computers.
    return deps.computerFiles.exclusive(() => importComputers({ ...deps, changer }, request, imported))
  }
}

type ByCaller = ImportDeps & { changer: Changer | undefined }

async function importComputers(deps: ByCaller, request: ImportRequest, imported: Imported) {
  const { store } = deps
  const { room: defaultRoom, update = false, dry_run: dryRun = false } = request
  const rooms = await store.rooms.list()
  if (defaultRoom !== undefined && !rooms.some(({ id }) => id === defaultRoom))
    return refuse(`room: there is no room ${defaultRoom}`)
  const [names, computers] = [await readRecordNames(store), await store.computers.list()]
  const comparison = await compareRows({ computers, rooms, names, defaultRoom, update }, imported.computers)
  const { rows } = comparison
  const conflicts = [...imported.conflicts, ...comparison.conflicts].sort((a, b) => a.line - b.line)
  const warnings = [...equalNames({ rows, computers, rooms }), ...outsiders(rows, rooms)].slice(0, mostWarnings)
  const moved = conflicts.length === 0 ? movedIn(rows).map(({ ip }) => ip) : []
  const jobs = [...(await jobsOn('running', moved, store)), ...(await jobsOn('cancelled', moved, store))]
  const effects = [...jobs, ...(await listsOf(moved, store))]
  if (conflicts.length === 0 && !dryRun) {
    const refusal = await save(deps, rows, conflicts)
    if (refusal) return refusal
  }
  if (conflicts.length === 0 && effects.length > 0) deps.changer?.warn?.(effects.join('; '))
  return createReport({ rows, conflicts, warnings }, update ? names : undefined)
}

/** Stores all rows, or adds to `conflicts`: rooms and computers may have been deleted since the comparison. */
async function save(
  { store, keep, changer, fleet, computerFiles, forgetClients }: ByCaller,
  rows: ComparedRow[],
  conflicts: ImportConflict[],
): Promise<Refusal | undefined> {
  const changing = rows.filter(({ before, changes }) => !before || changes.length > 0)
  if (changing.length === 0) return undefined
  const computers = changing.map(({ after }) => after)
  const refusal = await computerFiles.saveWithFiles(computers, async () => {
    const merged = changing.map(toStoreRow)
    const outcome = await (changer
      ? keep(changer, bound => bound.computers.merge(merged))
      : store.computers.merge(merged))
    for (const { index, reason } of outcome.conflicts) conflicts.push({ line: changing[index]?.line ?? 0, reason })
    return conflicts[0]?.reason
  })
  if (conflicts.length > 0) return undefined
  if (refusal) return refusal
  const changed = changing.flatMap(({ before, after }) => (before ? [{ before, after }] : []))
  await computerFiles.removeFormer(changed)
  await forgetClients(movedIn(rows), movedReason)
  // Those of the former computers of these addresses, also where these still run.
  await fleet.clearOutput(rows.flatMap(({ before, after }) => (before?.ip === after.ip ? [] : after.ip)))
  return undefined
}

/** Why queued work of their former address is cancelled. */
export const movedReason = 'address changed'

/** Computers that get another address, as they were. */
const movedIn = (rows: readonly ComparedRow[]) =>
  rows.flatMap(({ before, after }) => (before && before.ip !== after.ip ? before : []))

/** Only the keys that change: agents report serial numbers and hardware meanwhile. */
function toStoreRow({ before, after, changes }: ComparedRow): New<Computer> | ComputerChange {
  if (!before) return after
  const change: ComputerChange = { id: before.id }
  for (const key of changes) {
    if (key === 'row' || key === 'column') change.place = after.place ?? null
    else if (key === 'tags') change.tags = after.tags ?? []
    else Object.assign(change, { [key]: after[key] })
  }
  return change
}

/** Warnings of one report: more would make it longer than a response may be. */
const mostWarnings = 100

/** Of computers that get an address or a room. */
function outsiders(rows: ComparedRow[], rooms: readonly Room[]): ImportConflict[] {
  const byId = new Map(rooms.map(room => [room.id, room]))
  return rows.flatMap(({ line, before, after }) => {
    const room = before?.ip === after.ip && before.room === after.room ? undefined : byId.get(after.room)
    const reason = room && outsideNetwork(after.ip, room)
    return reason === undefined ? [] : [{ line, reason }]
  })
}

interface Compared {
  rows: ComparedRow[]
  computers: Computer[]
  rooms: readonly Room[]
}

/** Computers that get the name of another one: allowed, but mostly a mistake. */
function equalNames({ rows, computers, rooms }: Compared): ImportConflict[] {
  const isChanged = ({ before, after }: ComparedRow) => before?.name !== after.name
  const changed = new Set(rows.flatMap(row => (row.before && isChanged(row) ? [row.before.id] : [])))
  const owners = new Map<string, New<Computer>>()
  for (const computer of computers) if (!changed.has(computer.id)) owners.set(computer.name, computer)
  const warnings: ImportConflict[] = []
  for (const { line, after } of rows.filter(isChanged)) {
    const owner = owners.get(after.name)
    if (owner) {
      const where = rooms.find(({ id }) => id === owner.room)?.name
      warnings.push({ line, reason: `name: ${after.ip} has the name ${after.name} of ${owner.ip} (room ${where})` })
    } else owners.set(after.name, after)
    if (warnings.length === mostWarnings) break
  }
  return warnings
}
