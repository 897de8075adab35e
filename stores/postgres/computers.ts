// Managed computers.
import { setImmediate as endOfTick } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { Computer, Frozen, Store } from '../store.ts'
import { changeAll, judgeAndChangeAll, mergeComputers } from './computer-changes.ts'
import { removeComputers } from './computer-removal.ts'
import { changedNames, computerColumns, toComputer, toRow, type ValueName } from './computer-rows.ts'
import type { Database } from './database.ts'

type ComputerWithCenter = Frozen<Computer & { center: number }>

/** Values that the database could refuse. */
const judgedNames: readonly ValueName[] = ['ip', 'room', 'repo_id']

export function computers(database: Database): Store['computers'] {
  return {
    find: createFind(database),
    findMany: async ips => (ips.length === 0 ? [] : findMany(database, ips)),
    async list(room) {
      const all = database.read.selectFrom('computers').select(computerColumns).orderBy('id')
      const rows = await (room === undefined ? all : all.where('room', '=', room)).execute()
      return rows.map(toComputer)
    },

    async add(computers) {
      const rows = computers.map(computer => ({ ...toRow(computer), id: undefined }))
      if (rows.length === 0) return []
      return (await database.transaction(statements => mergeComputers(statements, rows))).conflicts
    },
    async update(ips, change) {
      const row = toRow(change)
      const addresses = [...ips]
      if (changedNames([row]).some(name => judgedNames.includes(name))) {
        return database.transaction(statements => judgeAndChangeAll(statements, addresses, row))
      }
      await database.write(statements => changeAll(statements, addresses, row))
      return 'updated'
    },
    async merge(rows) {
      const copies = rows.map(toRow)
      return database.transaction(statements => mergeComputers(statements, copies))
    },
    async delete(ips) {
      const addresses = [...new Set(ips)]
      const deleted = await database.write(statements =>
        removeComputers(statements, sql<SqlBool>`ip = any(${addresses}::text[])`),
      )
      const computersByIp = new Map(deleted.map(computer => [computer.ip, computer]))
      return addresses.flatMap(ip => computersByIp.get(ip) ?? [])
    },
  }
}

/** Thousands of agents connect at the same moment: what is asked for in one tick is read with one statement. */
function createFind(database: Database): Store['computers']['find'] {
  let addresses: Set<string> | undefined
  let reading: Promise<ReadonlyMap<string, ComputerWithCenter>>

  async function read(ips: Set<string>): Promise<ReadonlyMap<string, ComputerWithCenter>> {
    await endOfTick()
    addresses = undefined
    const computers = await findMany(database, [...ips])
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

/** With their centers, and without the addresses that are unknown. */
async function findMany(database: Database, ips: readonly string[]): Promise<ComputerWithCenter[]> {
  const rows = await database.read
    .selectFrom('computers')
    .innerJoin('rooms', 'rooms.id', 'computers.room')
    .select(computerColumns)
    .select('rooms.center')
    .where(sql<SqlBool>`computers.ip = any(${ips}::text[])`)
    .execute()
  return rows.map(({ center, ...row }) => {
    const computer = { ...toComputer(row), center }
    Object.freeze(computer.place)
    return Object.freeze(computer)
  })
}
