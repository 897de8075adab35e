// Centers, their rooms, repositories and groups.
import type { Center, Computer, New, Repository, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { orConflict } from '../connection/or-conflict.ts'
import { sql } from '../connection/sql.ts'
import { removeComputersOfRooms } from './computer-rows.ts'
import { createScopeReader } from './scope-tree.ts'
import type { Row } from './sql-table.ts'
import { tables } from './tables.ts'

export function centers(database: Database): Pick<Store, 'scopes' | 'centers' | 'rooms' | 'repositories' | 'groups'> {
  const { read, write, transaction } = database
  return {
    scopes: createScopeReader(database),
    centers: {
      ...namedMethods(database, 'centers'),
      delete: id => transaction(statements => deleteCenter(statements, id)),
    },
    rooms: {
      async add(room) {
        const row = tables.rooms.row(room)
        return write(statements => addRoom(statements, row))
      },
      find: id => tables.rooms.find(read, sql`id = ${id}`),
      list: () => tables.rooms.list(read),
      async update({ id, ...change }) {
        const row = tables.rooms.changes(change)
        const conflicts = { rooms_center_id_name_key: 'name taken', rooms_center_id_fkey: 'unknown center' } as const
        return orConflict(write, statements => tables.rooms.update(statements, id, row), conflicts)
      },
      delete: id => transaction(statements => deleteRoom(statements, id)),
    },
    repositories: {
      ...namedMethods(database, 'repositories'),
      list: () => tables.repositories.list(read),
      async delete(id) {
        if (id === 1) return 'in use'
        // A computer or an image names it.
        const conflicts = { computers_repository_id_fkey: 'in use', images_repository_id_fkey: 'in use' } as const
        return orConflict(write, statements => deleteRepository(statements, id), conflicts)
      },
    },
    groups: {
      list: () => tables.groups.list(read),
      async add(group) {
        const row = tables.groups.row(group)
        return write(statements => tables.groups.addNamed(statements, row))
      },
      async update(group) {
        const row = tables.groups.row(group)
        const conflicts = { computer_groups_name_key: 'name taken' } as const
        return orConflict(write, statements => tables.groups.update(statements, group.id, row), conflicts)
      },
      async delete(id) {
        const deletion = sql<object>`delete from computer_groups where id = ${id} returning ${tables.groups.columns}`
        const row = await write(statements => deletion.first(statements))
        return row && tables.groups.read(row)
      },
    },
  }
}

function namedMethods({ write }: Database, name: 'centers' | 'repositories') {
  const table = tables[name]
  return {
    async add(record: New<Center> | New<Repository>) {
      const row = table.changes(record)
      return write(statements => table.addNamed(statements, row))
    },
    async update({ id, ...change }: Pick<Center, 'id'> & Partial<Center | Repository>) {
      const row = table.changes(change)
      const conflicts = { [`${name}_name_key`]: 'name taken' as const }
      return orConflict(write, statements => table.update(statements, id, row), conflicts)
    },
  }
}

/** The locked rows refuse what others add to them at the same moment: no computer is deleted that is not returned. */
async function deleteCenter(statements: Statements, id: number): Promise<Computer[] | undefined> {
  if (!(await sql`select id from centers where id = ${id} for update`.first(statements))) return undefined
  const rooms = await sql<{ id: number }>`
    select id from rooms where center_id = ${id} order by id for update
  `.all(statements)
  const roomIds = rooms.map(room => room.id)
  const deleted = await removeComputersOfRooms(statements, roomIds)
  await sql`delete from centers where id = ${id}`.run(statements)
  return deleted
}

async function addRoom(statements: Statements, row: Row): Promise<number | 'name taken' | 'unknown center'> {
  const isFree = sql`where not exists (select from rooms where center_id = ${row.center_id} and name = ${row.name})`
  const { id, has_center } = await sql<{ id: number | null; has_center: boolean }>`
    with center as (select id from centers where id = ${row.center_id}),
    added as (${tables.rooms.insertion(row, sql`from center ${isFree}`)})
    select (select id from added) as id, exists (select from center) as has_center
  `.one(statements)
  return id ?? (has_center ? 'name taken' : 'unknown center')
}

async function deleteRoom(statements: Statements, id: number): Promise<Computer[] | undefined> {
  if (!(await sql`select id from rooms where id = ${id} for update`.first(statements))) return undefined
  const deleted = await removeComputersOfRooms(statements, [id])
  await sql`delete from rooms where id = ${id}`.run(statements)
  return deleted
}

async function deleteRepository(statements: Statements, id: number): Promise<'deleted' | 'unknown'> {
  const deleted = await sql`delete from repositories where id = ${id}`.run(statements)
  return deleted > 0 ? 'deleted' : 'unknown'
}
