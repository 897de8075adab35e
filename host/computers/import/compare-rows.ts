// Decides what an import does with each row: add a computer, change an existing one, or nothing.
import type { Computer, New, Place, Room, Store } from '../../../stores/store.ts'
import { createPause, forEachTimeSliced } from '../../system/time-slices.ts'
import { completeRecord } from '../new-record.ts'
import { flatten, type Key, keys } from './columns.ts'
import type { ImportConflict } from './conflict-list.ts'
import type { RecordNames } from './record-names.ts'
import { type ImportedComputer, tickMilliseconds } from './validate-rows.ts'

/** `before` is absent for a new computer; `changes` has the keys whose values are others than before. */
export interface ComparedRow {
  line: number
  before?: Computer
  after: New<Computer>
  changes: Key[]
}

/** Rows and conflicts in the order of the text. */
export interface Comparison {
  rows: ComparedRow[]
  conflicts: ImportConflict[]
}

export interface CompareDeps {
  store: Store
  /** All computers of the store. */
  computers: Computer[]
  names: RecordNames
  /** The id of the room of computers whose row names none. */
  defaultRoom: number | undefined
  /** Whether existing computers change. */
  update: boolean
}

interface CompareContext extends CompareDeps {
  stored: StoredComputers
  findRoom(id: number): Promise<Room | undefined>
}

export async function compareRows(deps: CompareDeps, imported: ImportedComputer[]): Promise<Comparison> {
  const { store, computers, update } = deps
  const comparison: Comparison = { rows: [], conflicts: [] }
  const stored = new StoredComputers()
  await forEachTimeSliced(computers, tickMilliseconds, computer => stored.add(computer))
  if (update) await forEachTimeSliced(imported, tickMilliseconds, row => stored.assign(row))
  const context: CompareContext = { ...deps, stored, findRoom: createRoomCache(store) }
  const pause = createPause(tickMilliseconds)
  for (const row of imported) {
    await pause()
    const result = await compareRow(row, context)
    if (typeof result === 'string') comparison.conflicts.push({ line: row.line, reason: result })
    else comparison.rows.push(result)
  }
  return comparison
}

function createRoomCache({ rooms }: Store): CompareContext['findRoom'] {
  const roomOf = new Map<number, Promise<Room | undefined>>()
  return id => {
    const room = roomOf.get(id) ?? rooms.find(id)
    roomOf.set(id, room)
    return room
  }
}

/** Returns the reason of a conflict as a text. */
async function compareRow(row: ImportedComputer, context: CompareContext): Promise<ComparedRow | string> {
  const { stored, update } = context
  const ids = findIds(row, context)
  if (typeof ids === 'string') return ids
  const before = update ? stored.find(row) : stored.at(row.ip)
  if (typeof before === 'string') return before
  if (before && !update) return isSame(before, row) ? unchangedRow(row, before) : addressTaken(before)
  const other = stored.otherAt(row, before)
  if (other) return addressTaken(other)
  const place = placeOf(row, before?.place)
  if (typeof place === 'string') return place
  return before ? changedRow(row, before, { ...ids, place }) : newRow(row, { ...ids, place }, context)
}

/** The place after the import. Values that the text does not have stay as they are. */
function placeOf(values: ImportedComputer, before: Place | undefined): Place | undefined | string {
  const { row = before?.row ?? 0, column = before?.column ?? 0 } = values
  if (row > 0 && column > 0) return { row, column }
  return row === column ? undefined : 'place: expected both row and column, got one of them'
}

interface Ids {
  room: number | undefined
  repo_id: number | undefined
}

interface Values extends Ids {
  place: Place | undefined
}

function findIds({ room, repo_id }: ImportedComputer, { names, defaultRoom }: CompareContext): Ids | string {
  const roomId = room === undefined ? defaultRoom : names.find('room', room)
  if (typeof roomId === 'string') return roomId
  const repositoryId = repo_id === undefined ? undefined : names.find('repo_id', repo_id)
  if (typeof repositoryId === 'string') return repositoryId
  return { room: roomId, repo_id: repositoryId }
}

const addressTaken = ({ ip, name }: Computer) => `ip: ${ip} is taken by ${name}`

const isSameMac = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isSame = (a: Computer, b: ImportedComputer) => a.name === b.name && isSameMac(a.mac, b.mac)

const unchangedRow = ({ line }: ImportedComputer, before: Computer): ComparedRow => ({
  line,
  before,
  after: before,
  changes: [],
})

/** Values that the text does not have stay as they are. */
function changedRow(row: ImportedComputer, before: Computer, ids: Values): ComparedRow {
  const { line, row: _row, column: _column, ...values } = row
  const after: Computer = {
    ...before,
    ...values,
    mac: isSameMac(row.mac, before.mac) ? before.mac : row.mac,
    room: ids.room ?? before.room,
    repo_id: ids.repo_id ?? before.repo_id,
    place: ids.place,
  }
  const [flatAfter, flatBefore] = [flatten(after), flatten(before)]
  return { line, before, after, changes: keys.filter(key => flatAfter[key] !== flatBefore[key]) }
}

async function newRow(row: ImportedComputer, ids: Values, { findRoom }: CompareContext): Promise<ComparedRow | string> {
  const { line, row: _row, column: _column, ...values } = row
  if (ids.room === undefined) return 'room: expected that of a new computer, got none'
  const room = await findRoom(ids.room)
  if (!room) return `room: there is no room ${ids.room}`
  const after = completeRecord({ ...values, room: room.id, repo_id: ids.repo_id, place: ids.place }, room)
  // An empty netmask is a value of the text, as some records have none; of `client/add` it is none.
  if (values.netmask === '') after.netmask = ''
  return { line, after, changes: [] }
}

/** Addresses that a reason lists. */
const mostAddresses = 5

/** The computers of the store as an update finds them: by hardware address, or else by address. */
class StoredComputers {
  readonly #byIp = new Map<string, Computer>()
  /** Callers may add several computers with one hardware address. */
  readonly #byMac = new Map<string, Computer[]>()
  readonly #ofRows = new Map<ImportedComputer, Computer>()
  /** The values of `#ofRows`. */
  readonly #assigned = new Set<Computer>()

  add(computer: Computer): void {
    this.#byIp.set(computer.ip, computer)
    const mac = computer.mac.toLowerCase()
    const others = this.#byMac.get(mac)
    if (others) others.push(computer)
    else this.#byMac.set(mac, [computer])
  }

  at(ip: string): Computer | undefined {
    return this.#byIp.get(ip)
  }

  /** Assigns the computer with its hardware address to the row. To be called for all rows before `find`. */
  assign(row: ImportedComputer): void {
    const computers = this.#withMacOf(row)
    const computer = computers.length === 1 ? computers[0] : computers.find(({ ip }) => ip === row.ip)
    if (!computer) return
    this.#ofRows.set(row, computer)
    this.#assigned.add(computer)
  }

  /** The row's computer, or the reason why it is not clear which one that is. */
  find(row: ImportedComputer): Computer | string | undefined {
    const assigned = this.#ofRows.get(row)
    if (assigned) return assigned
    const addrs = this.#withMacOf(row).map(({ ip }) => ip)
    if (addrs.length > 0) {
      return `mac: expected that of one computer, got that of ${addrs.slice(0, mostAddresses).join(', ')}`
    }
    const owner = this.at(row.ip)
    return owner && this.#assigned.has(owner) ? undefined : owner
  }

  /** The computer that keeps the row's address although it is another one than `before`. */
  otherAt(row: ImportedComputer, before: Computer | undefined): Computer | undefined {
    const owner = this.at(row.ip)
    // No two rows have one address, so an assigned computer gets another one.
    return owner && owner !== before && !this.#assigned.has(owner) ? owner : undefined
  }

  #withMacOf({ mac }: ImportedComputer): Computer[] {
    return this.#byMac.get(mac.toLowerCase()) ?? []
  }
}
