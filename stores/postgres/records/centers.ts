// Centers, their rooms, and repositories.
import { storedValues } from '../../records/stored-values.ts'
import type { Center, Computer, New, Repository, Room, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { insertRow, raw, sql, toSet } from '../connection/sql.ts'
import { removeComputersOfRooms } from './computer-removal.ts'
import { createScopeReader } from './scope-tree.ts'

export function centers(database: Database): Pick<Store, 'scopes' | 'centers' | 'rooms' | 'repositories'> {
  return {
    scopes: createScopeReader(database),

    centers: {
      add: ({ name, comment }) =>
        database.transaction(statements => addNamed(statements, 'centers', { name, comment })),
      update: ({ id, name, comment }) =>
        database.transaction(statements => updateNamed(statements, 'centers', id, { name, comment })),
      delete: id => database.transaction(statements => deleteCenter(statements, id)),
    },

    rooms: {
      add: room => database.transaction(statements => addRoom(statements, room)),
      find: id => sql<Room>`select ${roomColumns} from rooms where id = ${id}`.first(database.read),
      list: () => sql<Room>`select ${roomColumns} from rooms order by id`.all(database.read),
      update: room => database.transaction(statements => updateRoom(statements, room)),
      delete: id => database.transaction(statements => deleteRoom(statements, id)),
    },

    repositories: {
      async list() {
        const rows = await sql<RepositoryRow>`select * from repositories order by id`.all(database.read)
        return rows.map(toRepository)
      },
      add: ({ name, ip, slots }) =>
        database.transaction(statements => addNamed(statements, 'repositories', { name, ip, slots })),
      update: ({ id, name, ip, slots }) =>
        database.transaction(statements => updateNamed(statements, 'repositories', id, { name, ip, slots })),
      delete: id => database.transaction(statements => deleteRepository(statements, id)),
    },
  }
}

type NamedTable = 'centers' | 'repositories'

/** Undefined when the name is taken. */
async function addNamed(
  statements: Statements,
  table: NamedTable,
  values: New<Center> | New<Repository>,
): Promise<number | undefined> {
  const owner = await sql`select id from ${raw(table)} where name = ${values.name}`.first(statements)
  if (owner) return undefined
  return insertRow(statements, table, values)
}

async function updateNamed(
  statements: Statements,
  table: NamedTable,
  id: number,
  change: Partial<Center> | Partial<Repository>,
): Promise<'updated' | 'unknown' | 'name taken'> {
  const before = await sql<{ name: string }>`
    select name from ${raw(table)} where id = ${id} for update
  `.first(statements)
  if (!before) return 'unknown'
  // The name lets the statement set something.
  const { name = before.name } = change
  const owner = await sql`select id from ${raw(table)} where name = ${name} and id <> ${id}`.first(statements)
  if (owner) return 'name taken'
  await sql`update ${raw(table)} set ${toSet({ ...change, name })} where id = ${id}`.run(statements)
  return 'updated'
}

/** The locked rows refuse what others add to them at the same moment: no computer is deleted that is not returned. */
async function deleteCenter(statements: Statements, id: number): Promise<Computer[] | undefined> {
  if (!(await sql`select id from centers where id = ${id} for update`.first(statements))) return undefined
  const rooms = await sql<{ id: number }>`
    select id from rooms where center = ${id} order by id for update
  `.all(statements)
  const roomIds = rooms.map(room => room.id)
  const deleted = await removeComputersOfRooms(statements, roomIds)
  await sql`delete from centers where id = ${id}`.run(statements)
  return deleted
}

async function addRoom(statements: Statements, room: New<Room>): Promise<number | 'name taken' | 'unknown center'> {
  const { has_center, is_taken } = await findRoomConflicts(statements, { ...room, id: 0 })
  if (!has_center) return 'unknown center'
  if (is_taken) return 'name taken'
  return insertRow(statements, 'rooms', fromRoom(room))
}

async function updateRoom(
  statements: Statements,
  room: Room,
): Promise<'updated' | 'unknown' | 'name taken' | 'unknown center'> {
  const { is_known, has_center, is_taken } = await findRoomConflicts(statements, room)
  if (!is_known) return 'unknown'
  if (!has_center) return 'unknown center'
  if (is_taken) return 'name taken'
  const updated = await sql`update rooms set ${toSet(fromRoom(room))} where id = ${room.id}`.run(statements)
  return updated > 0 ? 'updated' : 'unknown'
}

const findRoomConflicts = (statements: Statements, { id, center, name }: Pick<Room, 'id' | 'center' | 'name'>) =>
  sql<{ is_known: boolean; has_center: boolean; is_taken: boolean }>`
    select
      exists (select from rooms where id = ${id}) as is_known,
      exists (select from centers where id = ${center}) as has_center,
      exists (select from rooms where center = ${center} and name = ${name} and id <> ${id}) as is_taken
  `.one(statements)

async function deleteRoom(statements: Statements, id: number): Promise<Computer[] | undefined> {
  if (!(await sql`select id from rooms where id = ${id} for update`.first(statements))) return undefined
  const deleted = await removeComputersOfRooms(statements, [id])
  await sql`delete from rooms where id = ${id}`.run(statements)
  return deleted
}

export function fromRoom(room: New<Room>) {
  const { group: group_number, ...row } = storedValues('rooms', room)
  return { ...row, group_number }
}

/** With the names of a room's keys. */
export const roomColumns = raw(
  'id, center, name, netmask, location, gateway, ntp, dns, group_number as "group", remote',
)

type RepositoryRow = Required<Repository>

export function toRepository({ id, name, ip, slots }: RepositoryRow): Repository {
  return { id, name, ip, ...(slots > 0 && { slots }) }
}

/** One that gets its first computer or image at this moment is refused by the database: then this runs again. */
async function deleteRepository(statements: Statements, id: number): Promise<'deleted' | 'unknown' | 'in use'> {
  const { is_known, is_used } = await sql<{ is_known: boolean; is_used: boolean }>`
    select
      exists (select from repositories where id = ${id}) as is_known,
      exists (select from computers where repo_id = ${id}) or exists (select from images where repo_id = ${id}) as is_used
  `.one(statements)
  if (!is_known) return 'unknown'
  if (id === 1 || is_used) return 'in use'
  const deleted = await sql`delete from repositories where id = ${id}`.run(statements)
  return deleted > 0 ? 'deleted' : 'unknown'
}
