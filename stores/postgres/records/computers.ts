// Managed computers.
import { setImmediate as endOfTick } from 'node:timers/promises'
import type { Computer, Frozen, Store } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { changeAll, judgeAndChangeAll, mergeComputers } from './computer-changes.ts'
import { changedNames, removeComputers } from './computer-rows.ts'
import { search } from './search.ts'
import { searchValues } from './search-values.ts'
import { tables } from './tables.ts'

type ComputerWithCenter = Frozen<Computer & { center: number }>

/** Values that the database could refuse. */
const judgedNames: readonly string[] = ['ip', 'room_id', 'repository_id']

export function computers(database: Database): Store['computers'] {
  const findMany = createFindMany(database)
  return {
    find: createFind(findMany),
    findMany,
    list: room => tables.computers.list(database.read, room === undefined ? undefined : sql`room_id = ${room}`),

    search: search(database),
    searchValues: searchValues(database),

    async add(computers) {
      const rows = computers.map(computer => tables.computers.changes({ ...computer, id: undefined }))
      if (rows.length === 0) return []
      return (await database.transaction(statements => mergeComputers(statements, rows))).conflicts
    },
    async update(ips, change) {
      const row = tables.computers.changes(change)
      const addresses = [...ips]
      if (changedNames([row]).some(name => judgedNames.includes(name))) {
        return database.transaction(statements => judgeAndChangeAll(statements, addresses, row))
      }
      await database.write(statements => changeAll(statements, addresses, row))
      return 'updated'
    },
    async merge(rows) {
      const copies = rows.map(row => tables.computers.changes(row))
      return database.transaction(statements => mergeComputers(statements, copies))
    },
    async delete(ips) {
      const addresses = [...new Set(ips)]
      const deleted = await database.write(statements =>
        removeComputers(statements, sql`ip = any(${addresses}::text[])`),
      )
      const computersByIp = new Map(deleted.map(computer => [computer.ip, computer]))
      return addresses.flatMap(ip => computersByIp.get(ip) ?? [])
    },
  }
}

/** Thousands of agents connect at the same moment: what is asked for in one tick is read with one statement. */
function createFind(findMany: Store['computers']['findMany']): Store['computers']['find'] {
  let addresses: Set<string> | undefined
  let reading: Promise<ReadonlyMap<string, ComputerWithCenter>>

  async function read(ips: Set<string>): Promise<ReadonlyMap<string, ComputerWithCenter>> {
    await endOfTick()
    addresses = undefined
    const computers = await findMany([...ips])
    return new Map(computers.map(computer => [computer.ip, computer]))
  }

  return async ip => {
    if (addresses) addresses.add(ip)
    else {
      addresses = new Set([ip])
      reading = read(addresses)
    }
    return (await reading).get(ip)
  }
}

/** Reads them with their centers. */
function createFindMany({ read }: Database): Store['computers']['findMany'] {
  return async ips => {
    if (ips.length === 0) return []
    const rows = await sql<{ center: number }>`
      select ${tables.computers.columns}, rooms.center_id as center from computers join rooms on rooms.id = computers.room_id
      where ip = any(${ips}::text[])
    `.all(read)
    return rows.map(row => {
      const computer = { ...tables.computers.read(row), center: row.center }
      Object.freeze(computer.place)
      Object.freeze(computer.tags)
      return Object.freeze(computer)
    })
  }
}
