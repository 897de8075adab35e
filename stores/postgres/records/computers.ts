// Managed computers.
import { setImmediate as endOfTick } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { Computer, Frozen, Store } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { changeAll, judgeAndChangeAll, mergeComputers } from './computer-changes.ts'
import { removeComputers } from './computer-removal.ts'
import { changedNames, computerColumns, toComputer, toRow, type ValueName } from './computer-rows.ts'

type Row = Parameters<typeof toComputer>[0] & { center: number }
type ComputerWithCenter = Frozen<Computer & { center: number }>

/** Values that the database could refuse. */
const judgedNames: readonly ValueName[] = ['ip', 'room', 'repo_id']

export function computers(database: Database): Store['computers'] {
  const findMany = createFindMany(database)
  return {
    find: createFind(findMany),
    findMany,
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

/** Reads them with their centers. Its text is built once, as it runs for most requests. */
function createFindMany({ read }: Database): Store['computers']['findMany'] {
  const query = read
    .selectFrom('computers')
    .innerJoin('rooms', 'rooms.id', 'computers.room')
    .select(computerColumns)
    .select('rooms.center')
    .where(sql<SqlBool>`computers.ip = any(${[]}::text[])`)
    .compile()
  return async ips => {
    if (ips.length === 0) return []
    const { rows } = await read.executeQuery<Row>({ ...query, parameters: [ips] })
    return rows.map(row => {
      const computer = { ...toComputer(row), center: row.center }
      Object.freeze(computer.place)
      return Object.freeze(computer)
    })
  }
}
