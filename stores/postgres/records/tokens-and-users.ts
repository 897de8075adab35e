// Tokens and users: who may call, and the centers and rooms that they are limited to.
import type { Account, AccountConflict, Accounts, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { fromColumn, raw, sql, toTable } from '../connection/sql.ts'
import type { SqlTable } from './sql-table.ts'
import { tables } from './tables.ts'

export const tokensAndUsers = (database: Database): Pick<Store, 'tokens' | 'users'> => ({
  tokens: collection(database, tables.tokens),
  users: collection(database, tables.users),
})

function collection<Value extends Account>(
  { read, write, transaction }: Database,
  table: SqlTable<Value>,
): Accounts<Value> {
  const name = raw(table.name)
  return {
    list: () => table.list(read),
    async add(account) {
      const row = table.row(account)
      return transaction(async statements => {
        const conflict = await findConflict(statements, table.name, row)
        return conflict ?? table.add(statements, row)
      })
    },
    async update(id, change) {
      const row = table.changes(change)
      return transaction(async statements => {
        const before = await sql<Before>`
          select id, centers, rooms from ${name} where id = ${id} for update
        `.first(statements)
        if (!before) return 'unknown'
        const conflict = await findConflict(statements, table.name, row, before)
        return conflict ?? table.update(statements, id, row)
      })
    },
    async delete(id) {
      const deletion = sql<object>`delete from ${name} where id = ${id} returning ${table.columns}`
      const row = await write(statements => deletion.first(statements))
      return row && table.read(row)
    },
    async setUsed(uses) {
      // Of repeated ids the last one counts.
      const rows = [...new Map(uses.map(({ id, used }) => [id, { id, used: table.changes({ used }).used }])).values()]
      if (rows.length === 0) return
      const listed = toTable('listed', { id: 'bigint', used: table.types.used }, rows)
      const used = fromColumn('listed.used', table.types.used)
      const update = sql`update ${name} as account set used = ${used} from ${listed} where account.id = listed.id`
      await write(statements => update.run(statements))
    },
  }
}

type Limits = Pick<Account, 'centers' | 'rooms'>
type Before = Limits & Pick<Account, 'id'>

/** A center or room that `before` names may have been deleted. */
async function findConflict(
  statements: Statements,
  table: string,
  { name, centers = [], rooms = [] }: Partial<Account>,
  before: Before = { id: 0, centers: [], rooms: [] },
): Promise<AccountConflict | undefined> {
  const newCenters = centers.filter(id => !before.centers.includes(id))
  const newRooms = rooms.filter(id => !before.rooms.includes(id))
  const existing = await sql<{ is_taken: boolean } & Limits>`
    select
      exists (select from ${raw(table)} where name = ${name ?? null} and id <> ${before.id}) as is_taken,
      array(select id from centers where id = any(${newCenters}::bigint[])) as centers,
      array(select id from rooms where id = any(${newRooms}::bigint[])) as rooms
  `.one(statements)
  if (existing.is_taken) return 'name taken'
  if (newCenters.some(id => !existing.centers.includes(id))) return 'unknown center'
  if (newRooms.some(id => !existing.rooms.includes(id))) return 'unknown room'
  return undefined
}
