// Centers, their rooms, and repositories.
import type { Selectable } from 'kysely'
import type { Center, Computer, New, Repository, Room, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { removeComputersOfRooms } from './computer-removal.ts'
import { createScopeReader } from './scope-tree.ts'
import type { Tables } from './table-types.ts'

export function centers(database: Database): Pick<Store, 'scopes' | 'centers' | 'rooms' | 'repositories'> {
  return {
    scopes: createScopeReader(database),

    centers: {
      add: ({ name, comment }) => database.transaction(statements => addCenter(statements, name, comment)),
      update: change => database.transaction(statements => updateCenter(statements, change)),
      delete: id => database.transaction(statements => deleteCenter(statements, id)),
    },

    rooms: {
      add: room => database.transaction(statements => addRoom(statements, room)),
      async find(id) {
        const row = await database.read.selectFrom('rooms').selectAll().where('id', '=', id).executeTakeFirst()
        return row && toRoom(row)
      },
      async list() {
        return (await database.read.selectFrom('rooms').selectAll().orderBy('id').execute()).map(toRoom)
      },
      update: room => database.transaction(statements => updateRoom(statements, room)),
      delete: id => database.transaction(statements => deleteRoom(statements, id)),
    },

    repositories: {
      async list() {
        return (await database.read.selectFrom('repositories').selectAll().orderBy('id').execute()).map(toRepository)
      },
      add: repository => database.transaction(statements => addRepository(statements, repository)),
      update: change => database.transaction(statements => updateRepository(statements, change)),
      delete: id => database.transaction(statements => deleteRepository(statements, id)),
    },
  }
}

async function addCenter(statements: Statements, name: string, comment: string): Promise<number | undefined> {
  const owner = await statements.selectFrom('centers').select('id').where('name', '=', name).executeTakeFirst()
  if (owner) return undefined
  const values = { name, comment }
  const { id } = await statements.insertInto('centers').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The locked rows refuse what others add to them at the same moment: no computer is deleted that is not returned. */
async function deleteCenter(statements: Statements, id: number): Promise<Computer[] | undefined> {
  const center = await statements.selectFrom('centers').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!center) return undefined
  const rooms = await statements
    .selectFrom('rooms')
    .select('id')
    .where('center', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const roomIds = rooms.map(room => room.id)
  const deleted = await removeComputersOfRooms(statements, roomIds)
  await statements.deleteFrom('centers').where('id', '=', id).execute()
  return deleted
}

async function addRoom(statements: Statements, room: New<Room>): Promise<number | 'name taken' | 'unknown center'> {
  const { hasCenter, isTaken } = await findRoomConflicts(statements, { ...room, id: 0 })
  if (!hasCenter) return 'unknown center'
  if (isTaken) return 'name taken'
  const { id } = await statements.insertInto('rooms').values(fromRoom(room)).returning('id').executeTakeFirstOrThrow()
  return id
}

async function updateRoom(
  statements: Statements,
  room: Room,
): Promise<'updated' | 'unknown' | 'name taken' | 'unknown center'> {
  const { isKnown, hasCenter, isTaken } = await findRoomConflicts(statements, room)
  if (!isKnown) return 'unknown'
  if (!hasCenter) return 'unknown center'
  if (isTaken) return 'name taken'
  const { numUpdatedRows } = await statements
    .updateTable('rooms')
    .set(fromRoom(room))
    .where('id', '=', room.id)
    .executeTakeFirst()
  return numUpdatedRows > 0 ? 'updated' : 'unknown'
}

const findRoomConflicts = (statements: Statements, { id, center, name }: Pick<Room, 'id' | 'center' | 'name'>) =>
  statements
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('rooms').select('id').where('id', '=', id)).as('isKnown'),
      exists(selectFrom('centers').select('id').where('id', '=', center)).as('hasCenter'),
      exists(
        selectFrom('rooms').select('id').where('center', '=', center).where('name', '=', name).where('id', '!=', id),
      ).as('isTaken'),
    ])
    .executeTakeFirstOrThrow()

async function deleteRoom(statements: Statements, id: number): Promise<Computer[] | undefined> {
  const room = await statements.selectFrom('rooms').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!room) return undefined
  const deleted = await removeComputersOfRooms(statements, [id])
  await statements.deleteFrom('rooms').where('id', '=', id).execute()
  return deleted
}

export function fromRoom({ center, name, netmask, location, gateway, ntp, dns, group, remote }: New<Room>) {
  return { center, name, netmask, location, gateway, ntp, dns, group_number: group, remote }
}

export function toRoom({ group_number: group, ...row }: Selectable<Tables['rooms']>): Room {
  const { id, center, name, netmask, location, gateway, ntp, dns, remote } = row
  return { id, center, name, netmask, location, gateway, ntp, dns, group, remote }
}

export function toRepository({ id, name, ip, slots }: Selectable<Tables['repositories']>): Repository {
  return { id, name, ip, ...(slots > 0 && { slots }) }
}

async function addRepository(statements: Statements, repository: New<Repository>): Promise<number | undefined> {
  const { name, ip, slots = 0 } = repository
  const owner = await statements.selectFrom('repositories').select('id').where('name', '=', name).executeTakeFirst()
  if (owner) return undefined
  const values = { name, ip, slots }
  const { id } = await statements.insertInto('repositories').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

type Updated = 'updated' | 'unknown' | 'name taken'

async function updateCenter(
  statements: Statements,
  { id, name, comment }: Pick<Center, 'id'> & Partial<Center>,
): Promise<Updated> {
  const rows = await statements.selectFrom('centers').selectAll().where('id', '=', id).forUpdate().execute()
  const [before] = rows
  if (!before) return 'unknown'
  const values = { name: name ?? before.name, comment: comment ?? before.comment }
  const sameName = statements.selectFrom('centers').select('id').where('name', '=', values.name).where('id', '!=', id)
  if (await sameName.executeTakeFirst()) return 'name taken'
  await statements.updateTable('centers').set(values).where('id', '=', id).execute()
  return 'updated'
}

async function updateRepository(
  statements: Statements,
  { id, name, ip, slots }: Pick<Repository, 'id'> & Partial<Repository>,
): Promise<Updated> {
  const rows = await statements.selectFrom('repositories').selectAll().where('id', '=', id).forUpdate().execute()
  const [before] = rows
  if (!before) return 'unknown'
  const values = { name: name ?? before.name, ip: ip ?? before.ip, slots: slots ?? before.slots }
  const others = statements.selectFrom('repositories').select('id').where('id', '!=', id)
  if (await others.where('name', '=', values.name).executeTakeFirst()) return 'name taken'
  await statements.updateTable('repositories').set(values).where('id', '=', id).execute()
  return 'updated'
}

/** One that gets its first computer or image at this moment is refused by the database: then this runs again. */
async function deleteRepository(statements: Statements, id: number): Promise<'deleted' | 'unknown' | 'in use'> {
  const { isKnown, isUsed } = await statements
    .selectNoFrom(({ exists, or, selectFrom }) => [
      exists(selectFrom('repositories').select('id').where('id', '=', id)).as('isKnown'),
      or([
        exists(selectFrom('computers').select('id').where('repo_id', '=', id)),
        exists(selectFrom('images').select('id').where('repo_id', '=', id)),
      ]).as('isUsed'),
    ])
    .executeTakeFirstOrThrow()
  if (!isKnown) return 'unknown'
  if (id === 1 || isUsed) return 'in use'
  const { numDeletedRows } = await statements.deleteFrom('repositories').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0 ? 'deleted' : 'unknown'
}
