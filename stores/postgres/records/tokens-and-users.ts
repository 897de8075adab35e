// Tokens and users: who may call, and the centers and rooms that they are limited to.
import { storedValues } from '../../records/stored-values.ts'
import type { Account, AccountConflict, Accounts, New, Store, Token, User } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { insertRow, raw, type Sql, sql, toSet, toTable } from '../connection/sql.ts'

type AccountTable = 'tokens' | 'users'
type Limits = Pick<Account, 'centers' | 'rooms'>

/** With the names of the keys of a user and a token. */
export const userColumns = raw('id, name, hash, role, centers, rooms, created, maker as by, disabled, used')
export const tokenColumns = sql`${userColumns}, expires`

export function tokensAndUsers(database: Database): Pick<Store, AccountTable> {
  return {
    tokens: collection<Token>(database, 'tokens', tokenColumns, fromToken),
    users: collection<User>(database, 'users', userColumns, fromUser),
  }
}

type Values = Partial<ReturnType<typeof fromToken>>

function collection<Row extends Account>(
  database: Database,
  name: AccountTable,
  columns: Sql,
  toRow: (account: Partial<New<Row>>) => Values,
): Accounts<Row> {
  const table = raw(name)
  return {
    list: () => sql<Row>`select ${columns} from ${table} order by id`.all(database.read),
    async add(account) {
      const values = toRow(account)
      return database.transaction(async statements => {
        const conflict = await findConflict(statements, table, values)
        return conflict ?? insertRow(statements, name, values)
      })
    },
    async update(id, change) {
      const values = toRow(change)
      return database.transaction(statements => updateAccount(statements, table, id, values))
    },
    async delete(id) {
      const deletion = sql`delete from ${table} where id = ${id}`
      return (await database.write(statements => deletion.run(statements))) > 0
    },
    async setUsed(uses) {
      // Of repeated ids the last one counts.
      const lastUses = [...new Map(uses.map(use => [use.id, use])).values()]
      if (lastUses.length === 0) return
      const listed = toTable('listed', { id: 'bigint', used: 'bigint' }, lastUses)
      const update = sql`update ${table} as account set used = listed.used from ${listed} where account.id = listed.id`
      await database.write(statements => update.run(statements))
    },
  }
}

export function fromUser(user: Partial<New<User>>) {
  const { by: maker, ...row } = storedValues('users', user)
  return { ...row, maker }
}

export function fromToken(token: Partial<New<Token>>) {
  const { by: maker, ...row } = storedValues('tokens', token)
  return { ...row, maker }
}

async function updateAccount(
  statements: Statements,
  table: Sql,
  id: number,
  values: Values,
): Promise<'updated' | 'unknown' | AccountConflict> {
  const before = await sql<Limits & Pick<Account, 'id' | 'name'>>`
    select id, name, centers, rooms from ${table} where id = ${id} for update
  `.first(statements)
  if (!before) return 'unknown'
  const conflict = await findConflict(statements, table, values, before)
  if (conflict) return conflict
  // The name lets the statement set something.
  const changes = { ...values, name: values.name ?? before.name }
  await sql`update ${table} set ${toSet(changes)} where id = ${id}`.run(statements)
  return 'updated'
}

/** A center or room that `before` names may have been deleted. */
async function findConflict(
  statements: Statements,
  table: Sql,
  { name, centers = [], rooms = [] }: Values,
  before: Limits & { id: number } = { id: 0, centers: [], rooms: [] },
): Promise<AccountConflict | undefined> {
  const newCenters = centers.filter(id => !before.centers.includes(id))
  const newRooms = rooms.filter(id => !before.rooms.includes(id))
  const existing = await sql<{ is_taken: boolean } & Limits>`
    select
      exists (select from ${table} where name = ${name ?? null} and id <> ${before.id}) as is_taken,
      array(select id from centers where id = any(${newCenters}::bigint[])) as centers,
      array(select id from rooms where id = any(${newRooms}::bigint[])) as rooms
  `.one(statements)
  if (existing.is_taken) return 'name taken'
  if (newCenters.some(id => !existing.centers.includes(id))) return 'unknown center'
  if (newRooms.some(id => !existing.rooms.includes(id))) return 'unknown room'
  return undefined
}
