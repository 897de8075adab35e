// Adding and changing computers, with the conflicts that prevent it.
import { type ExistingRecords, findMergeConflicts } from '../../rules/computer-conflicts.ts'
import { addressLists, arrivalsOf, createFollow, type FormerList, movesOf } from '../../rules/moved-addresses.ts'
import type { Computer, Conflict } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'
import { keepingSetting } from '../migrations/keeping-of-rows.ts'
import {
  allNames,
  type ComputerRow,
  changedNames,
  insertComputers,
  lockComputers,
  setValues,
  toComputerTable,
} from './computer-rows.ts'
import type { SqlTable } from './sql-table.ts'
import { tables } from './tables.ts'

/**
 * Adds the rows without an id and changes the others. `before`: the changed computers as they were, in the order of the
 * rows; none after a conflict.
 */
export async function mergeComputers(
  statements: Statements,
  rows: readonly ComputerRow[],
  former?: readonly FormerList[],
): Promise<{ conflicts: Conflict[]; before: Computer[] }> {
  const changes = rows.filter(({ id }) => id !== undefined)
  const ids = changes.flatMap(({ id }) => id ?? [])
  const computers = ids.length === 0 ? [] : await lockComputers(statements, sql`id = any(${ids}::bigint[])`)
  const computersById = new Map(computers.map(computer => [computer.id, computer]))
  const conflicts = findMergeConflicts(rows.map(toRecord), await findExisting(statements, rows, computersById))
  if (conflicts.length > 0) return { conflicts, before: [] }
  const before = ids.flatMap(id => computersById.get(id) ?? [])
  // The changes first: a new computer may take an address that one of them frees.
  await changeEach(statements, before, changes)
  const added = rows.filter(({ id }) => id === undefined)
  if (added.length > 0) await insertComputers(allNames, added).run(statements)
  await moveAddresses(statements, movesOf(before, changes), former)
  return { conflicts, before }
}

async function moveAddresses(
  statements: Statements,
  moves: ReadonlyMap<string, string>,
  former?: readonly FormerList[],
): Promise<void> {
  if (moves.size === 0) return
  const follow = createFollow(moves, former)
  const hasAny = sql`clients && ${[...moves.keys()]}::text[]`
  for (const name of addressLists) {
    const table: SqlTable<{ id: number; clients?: string[] }> = tables[name]
    await keepFormer(statements, name, arrivalsOf(moves))
    for (const row of await table.list(statements, hasAny, sql`for update`)) {
      const clients = follow(name, row)
      if (clients) await table.update(statements, row.id, table.changes({ clients }))
    }
  }
}

/** Beside the rows that triggers keep. */
async function keepFormer(statements: Statements, name: FormerList['name'], arrivals: ReadonlySet<string>) {
  await sql`
    insert into kept_rows (transaction, name, operation, content)
    select txid_current(), ${name}, 'FOLLOW', json_build_object('name', ${name}::text, 'id', id, 'clients', clients)
    from ${raw(tables[name].name)}
    where clients && ${[...arrivals]}::text[] and current_setting(${keepingSetting}, true) = 'on' order by id
  `.run(statements)
}

const toRecord = ({ id, ip, room_id: room, repository_id: repo_id }: ComputerRow) => ({ id, ip, room, repo_id })

/** Which of the addresses, rooms and repositories that the rows have exist. */
async function findExisting(
  statements: Statements,
  rows: readonly ComputerRow[],
  computersById: ReadonlyMap<number, Computer>,
): Promise<ExistingRecords> {
  const ips = rows.flatMap(({ ip }) => ip ?? [])
  const rooms = [...new Set(rows.flatMap(({ room_id }) => room_id ?? []))]
  const repositories = [...new Set(rows.flatMap(({ repository_id }) => repository_id ?? []))]
  const row = await sql<{ addresses: string[]; rooms: number[]; repositories: number[] }>`
    select
      array(select ip from computers where ip = any(${ips}::text[])) as addresses,
      array(select id from rooms where id = any(${rooms}::bigint[])) as rooms,
      array(select id from repositories where id = any(${repositories}::bigint[])) as repositories
  `.one(statements)
  const existing = {
    ips: new Set(row.addresses),
    rooms: new Set(row.rooms),
    repositories: new Set(row.repositories),
  }
  return {
    computer: id => computersById.get(id),
    hasAddress: ip => existing.ips.has(ip),
    hasRoom: id => existing.rooms.has(id),
    hasRepository: id => existing.repositories.has(id),
  }
}

/** `before[n]` is the computer that `changes[n]` changes. */
async function changeEach(
  statements: Statements,
  before: readonly Computer[],
  changes: readonly ComputerRow[],
): Promise<void> {
  const names = changedNames(changes)
  if (names.length === 0) return
  const rows = before.map((computer, index) => ({ ...tables.computers.row(computer), ...changes[index] }))
  const moved = rows.filter(({ ip }, index) => ip !== before[index]?.ip)
  const addresses = new Set(before.map(({ ip }) => ip))
  if (moved.some(({ ip = '' }) => addresses.has(ip))) await freeAddresses(statements, moved)
  await sql`
    update computers set ${setValues(names)} from ${toComputerTable(['id', ...names], rows)} where computers.id = rows.id
  `.run(statements)
}

/**
 * Two computers that exchange their addresses: the constraint is checked row by row. A deferrable one is checked later,
 * but then two adds of one address wait for each other.
 */
async function freeAddresses(statements: Statements, computers: readonly ComputerRow[]): Promise<void> {
  const ids = computers.flatMap(({ id }) => id ?? [])
  await sql`update computers set ip = 'moving ' || id where id = any(${ids}::bigint[])`.run(statements)
}

/**
 * Applies one change to all computers with these addresses, without a judgement. All of them are locked first, in the
 * order of their ids, so that two changes of the same computers do not wait for each other.
 */
export async function changeAll(statements: Statements, ips: readonly string[], change: ComputerRow): Promise<void> {
  const names = changedNames([change])
  // Without a change the rows are stored as they are: the host finds out with that whether the store can be written.
  const [values, changes] =
    names.length === 0
      ? [sql`maintenance = maintenance`, sql`(select) as rows`]
      : [setValues(names), toComputerTable(names, [change])]
  await sql`
    update computers set ${values} from ${changes} where computers.id in (
      select id from computers where ip = any(${ips}::text[]) order by id for update
    )
  `.run(statements)
}

/** For a change that the database could refuse. */
export async function judgeAndChangeAll(
  statements: Statements,
  ips: readonly string[],
  change: ComputerRow,
): Promise<'updated' | Conflict['reason']> {
  const computers = await lockComputers(statements, sql`ip = any(${ips}::text[])`)
  const rows = computers.map(({ id }): ComputerRow => ({ ...change, id }))
  const { conflicts } = await mergeComputers(statements, rows)
  return conflicts[0]?.reason ?? 'updated'
}
