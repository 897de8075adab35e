// Decides what an import does with each row: add a computer, change an existing one, or nothing.
import type { Computer, New, Place, Room } from '../../../stores/store.ts'
import { newAddress } from '../../agents/likely-record.ts'
import { slices } from '../../system/request-slices.ts'
import { completeRecord } from '../new-record.ts'
import { type Key, keys } from './columns.ts'
import type { RecordNames } from './record-names.ts'
import type { ImportConflict, ImportedComputer } from './validate-rows.ts'

/** `before` is absent for a new computer; `changes` has the keys whose values are others than before. */
export interface ComparedRow {
  line: number
  before?: Computer
  after: New<Computer>
  changes: Key[]
}

interface CompareDeps {
  computers: Computer[]
  rooms: Room[]
  names: RecordNames
  /** The id of the room of computers whose row names none. */
  defaultRoom: number | undefined
  update: boolean
}

export async function compareRows(deps: CompareDeps, imported: ImportedComputer[]) {
  const rows: ComparedRow[] = []
  const conflicts: ImportConflict[] = []
  const stored = new StoredComputers()
  await slices.forEach(deps.computers, computer => stored.add(computer))
  if (deps.update) await slices.forEach(imported, row => stored.assign(row))
  await slices.forEach(imported, row => {
    const result = compareRow(row, stored, deps)
    if (typeof result === 'string') conflicts.push({ line: row.line, reason: result })
    else rows.push(result)
  })
  return { rows, conflicts }
}

/** Returns the reason of a conflict as a text. */
function compareRow(row: ImportedComputer, stored: StoredComputers, deps: CompareDeps): ComparedRow | string {
  const { update, names, defaultRoom } = deps
  const room = row.room === undefined ? defaultRoom : names.find('room', row.room)
  if (typeof room === 'string') return room
  const repository = row.repo_id === undefined ? undefined : names.find('repo_id', row.repo_id)
  if (typeof repository === 'string') return repository
  const before = update ? stored.find(row) : stored.at(row.ip)
  if (typeof before === 'string') return before
  if (before && !update) {
    const isSame = before.name === row.name && isSameMac(before.mac, row.mac)
    return isSame ? { line: row.line, before, after: before, changes: [] } : differs(before, row)
  }
  const other = stored.otherAt(row, before)
  if (other) return addressTaken(other)
  const same = before ? undefined : stored.withMacOf(row)[0]
  if (same) return hasMoved(same, row)
  const place = seatOf(row, before?.place)
  if (typeof place === 'string') return place
  const tags = row.tags === undefined ? before?.tags : row.tags.split(' ').filter(tag => tag !== '')
  return before
    ? changedRow(row, before, { room: room ?? before.room, repo_id: repository ?? before.repo_id, place, tags }, names)
    : newRow(row, { room, repo_id: repository, place, tags }, deps)
}

/** The seat after the import. Values that the text does not have stay as they are. */
function seatOf(values: ImportedComputer, before: Place | undefined): Place | undefined | string {
  const { row = before?.row ?? 0, column = before?.column ?? 0 } = values
  if (row > 0 && column > 0) return { row, column }
  return row === column ? undefined : 'place: expected both row and column, got one of them'
}

const addressTaken = ({ ip, name }: Computer) => `ip: ${ip} is taken by ${name}`

/** Of one computer whose address was corrected since, or in the text. */
const differs = (before: Computer, { name, mac }: ImportedComputer) =>
  before.name === name
    ? `mac: ${name} has ${before.mac}, the line has ${mac}: correct the line, or import with --update to have it so`
    : addressTaken(before)

/** A second record of one computer is never meant: the text is older than the record, or newer. */
const hasMoved = ({ name, ip, mac }: Computer, row: ImportedComputer) => {
  const remedy = `correct the line, or ${newAddress(ip, row.ip)}`
  return `mac: ${mac} is that of ${name} with the address ${ip}, the line has ${row.ip}: ${remedy}`
}

const isSameMac = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** What a row says with names and cells, as a record has it. */
type Stored<Id> = { room: Id; repo_id: Id; place: Place | undefined; tags: readonly string[] | undefined }

/** Values that the text does not have stay as they are. */
function changedRow(row: ImportedComputer, before: Computer, stored: Stored<number>, names: RecordNames): ComparedRow {
  const { line, row: _row, column: _column, tags: _tags, ...values } = row
  const mac = isSameMac(row.mac, before.mac) ? before.mac : row.mac
  const after = { ...before, ...values, mac, ...stored }
  const [from, to] = [names.list(before), names.list(after)]
  return { line, before, after, changes: keys.filter(key => from[key] !== to[key]) }
}

function newRow(row: ImportedComputer, stored: Stored<number | undefined>, { rooms }: CompareDeps) {
  const { line, row: _row, column: _column, tags: _tags, ...values } = row
  if (stored.room === undefined) return 'room: expected that of a new computer, got none'
  const room = rooms.find(({ id }) => id === stored.room)
  if (!room) return `room: there is no room ${stored.room}`
  const after = completeRecord({ ...values, ...stored, room: room.id }, room)
  // An empty netmask is a value of the text, as some records have none; of `client/add` it is none.
  if (values.netmask === '') after.netmask = ''
  return { line, after, changes: [] }
}

const mostAddresses = 5

/** The computers of the store as an update finds them: by hardware address, or else by address. */
class StoredComputers {
  readonly #byIp = new Map<string, Computer>()
  /** Callers may add several computers with one hardware address. */
  readonly #byMac = new Map<string, Computer[]>()
  /** Those that rows have by their hardware address. */
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

  /** To be called for all rows before `find`. */
  assign(row: ImportedComputer): void {
    const computer = this.#ownOf(row)
    if (computer) this.#assigned.add(computer)
  }

  /** The row's computer, or the reason why it is not clear which one that is. */
  find(row: ImportedComputer): Computer | string | undefined {
    const own = this.#ownOf(row)
    if (own) return own
    const addrs = this.withMacOf(row).map(({ ip }) => ip)
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

  withMacOf({ mac }: ImportedComputer): Computer[] {
    return this.#byMac.get(mac.toLowerCase()) ?? []
  }

  /** The computer with its hardware address; of several, the one that has its address, too. */
  #ownOf(row: ImportedComputer): Computer | undefined {
    const computers = this.withMacOf(row)
    return computers.length === 1 ? computers[0] : computers.find(({ ip }) => ip === row.ip)
  }
}
