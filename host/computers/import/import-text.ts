// Imports the computers of a text: all of them, or none.
import type { Computer, New, Room, Store } from '../../../stores/store.ts'
import type { ComputerFiles } from '../../boot/computer-files.ts'
import { refuse } from '../../refusal.ts'
import type { ComputersService, ImportReport, Refusal } from '../../services.ts'
import { createMutex } from '../../system/mutex.ts'
import { createPause } from '../../system/time-slices.ts'
import { completeRecord } from '../new-record.ts'
import { readCsv, readDhcpd } from './formats.ts'
import { type Imported, tickMilliseconds } from './validate-rows.ts'

/** A computer to add, and the line on which it begins. */
interface NewRow {
  line: number
  computer: New<Computer>
}

export function createImport(store: Store, computerFiles: ComputerFiles): ComputersService['import'] {
  /** Adds all rows, or reports the conflicts: rooms and repositories may have been deleted since the comparison. */
  async function addAll(rows: NewRow[], report: ImportReport): Promise<ImportReport | Refusal> {
    const computers = rows.map(({ computer }) => computer)
    const refusal = await computerFiles.saveWithFiles(computers, async () => {
      for (const { index, reason } of await store.computers.add(computers)) {
        report.conflicts.push({ line: rows[index]?.line ?? 0, reason })
      }
      return report.conflicts[0]?.reason
    })
    if (report.conflicts.length > 0) return report
    return refusal ?? { ...report, added: rows.length }
  }

  // One import at a time: the ticks of several would make other callers wait for their sum.
  const oneAtATime = createMutex()

  return (text, format, roomId, dryRun) =>
    oneAtATime(async () => {
      if (!(await store.rooms.find(roomId))) return unknownRoom(roomId)
      const imported = format === 'csv' ? await readCsv(text) : await readDhcpd(text)
      // The text is read before, as the lock keeps others from changing computers.
      return computerFiles.exclusive(async () => {
        const room = await store.rooms.find(roomId)
        if (!room) return unknownRoom(roomId)
        const { rows, report } = await compareWithStore(store, imported, room)
        if (report.conflicts.length > 0) return report
        const warnings = equalNames(rows, await store.computers.list())
        if (warnings.length > 0) report.warnings = warnings
        return dryRun || rows.length === 0 ? { ...report, added: rows.length } : addAll(rows, report)
      })
    })
}

const unknownRoom = (id: number) => refuse(`room: there is no room ${id}`)

/** The computers that the store does not have yet, and a report of the others. `defaultRoom` is for rows without a room. */
async function compareWithStore(store: Store, imported: Imported, defaultRoom: Room) {
  const repositories = new Set((await store.repositories.list()).map(({ id }) => id))
  const rows: NewRow[] = []
  const report: ImportReport = { added: 0, exists: 0, conflicts: [...imported.conflicts] }
  const pause = createPause(tickMilliseconds)
  for (const { line, ...row } of imported.computers) {
    await pause()
    const addConflict = (reason: string) => void report.conflicts.push({ line, reason })
    const room = row.room === undefined ? defaultRoom : await store.rooms.find(row.room)
    if (!room) {
      addConflict(`room: there is no room ${row.room}`)
      continue
    }
    const computer = completeRecord({ ...row, room: room.id }, room)
    const stored = await store.computers.find(computer.ip)
    if (stored && !isSame(stored, computer)) addConflict(`ip: ${computer.ip} is taken by ${stored.name}`)
    else if (stored) report.exists += 1
    else if (!repositories.has(computer.repo_id)) addConflict(`repo_id: there is no repository ${computer.repo_id}`)
    else rows.push({ line, computer })
  }
  report.conflicts.sort((a, b) => a.line - b.line)
  return { rows, report }
}

/** Warnings of one report: more would make it longer than a response may be. */
const mostWarnings = 100

/** New computers with the name of another one: allowed, but mostly a mistake. */
function equalNames(rows: NewRow[], stored: Computer[]): NonNullable<ImportReport['warnings']> {
  const addrs = new Map(stored.map(({ name, ip }) => [name, ip]))
  const warnings: NonNullable<ImportReport['warnings']> = []
  for (const { line, computer } of rows) {
    const { name, ip } = computer
    const other = addrs.get(name)
    if (other !== undefined) warnings.push({ line, reason: `name: ${ip} has the name ${name} of ${other}` })
    else addrs.set(name, ip)
    if (warnings.length === mostWarnings) break
  }
  return warnings
}

const isSame = (a: New<Computer>, b: New<Computer>) => a.name === b.name && a.mac.toLowerCase() === b.mac.toLowerCase()
