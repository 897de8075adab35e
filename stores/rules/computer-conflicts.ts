// Why computers cannot be added or changed: the same for every engine.
import type { Computer, Conflict } from '../store.ts'

/** The values of a new computer, or with an id those of a change; undefined values are not changed. */
type Row = { id?: number | undefined } & { [Key in 'ip' | 'room' | 'repo_id']?: Computer[Key] | undefined }

/** What the store has. */
export interface ExistingRecords {
  computer(id: number): Readonly<Pick<Computer, 'ip'>> | undefined
  hasAddress(ip: string): boolean
  hasRoom(id: number): boolean
  hasRepository(id: number): boolean
}

/** Judges the addresses as they are after all rows. */
export function findMergeConflicts(rows: readonly Row[], existing: ExistingRecords): Conflict[] {
  const conflicts: Conflict[] = []
  const ids = new Set<number>()
  const freeAddresses = new Set<string>()
  for (const [index, { id, ip }] of rows.entries()) {
    if (id === undefined) continue
    const computer = existing.computer(id)
    if (!computer) conflicts.push({ index, reason: 'unknown computer' })
    else if (ids.has(id)) conflicts.push({ index, reason: 'repeated computer' })
    else if (ip !== undefined) freeAddresses.add(computer.ip)
    ids.add(id)
  }
  const addresses = new Set<string>()
  for (const [index, row] of rows.entries()) {
    const { ip } = row
    if (ip !== undefined) {
      const isTaken = existing.hasAddress(ip) && !freeAddresses.has(ip)
      if (isTaken || addresses.has(ip)) conflicts.push({ index, reason: 'address taken' })
      addresses.add(ip)
    }
    for (const reason of findUnknown(row, existing)) conflicts.push({ index, reason })
  }
  return conflicts.sort((a, b) => a.index - b.index)
}

function findUnknown({ room, repo_id }: Row, existing: ExistingRecords): Conflict['reason'][] {
  const reasons: Conflict['reason'][] = []
  if (room !== undefined && !existing.hasRoom(room)) reasons.push('unknown room')
  if (repo_id !== undefined && !existing.hasRepository(repo_id)) reasons.push('unknown repository')
  return reasons
}
