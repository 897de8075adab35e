// Tokens and users: who may call, and the centers and rooms that they are limited to.
import { type Selectable, sql } from 'kysely'
import type { Account, AccountConflict, Accounts, New, Store, Token, User } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import type { Tables } from './table-types.ts'

type AccountTable = 'tokens' | 'users'
type Limits = Pick<Account, 'centers' | 'rooms'>
type Values = Omit<Selectable<Tables['tokens']>, 'id' | 'expires'> & { expires?: number }

export function tokensAndUsers(database: Database): Pick<Store, AccountTable> {
  return {
    tokens: collection<Token>(database, 'tokens', ({ expires = 0, ...row }) => ({ ...toUser(row), expires })),
    users: collection<User>(database, 'users', toUser),
  }
}

function collection<Row extends Account>(
  database: Database,
  table: AccountTable,
  toAccount: (row: Selectable<Tables['users']> & { expires?: number }) => Row,
): Accounts<Row> {
  return {
    async list() {
      const rows = await database.read.selectFrom(table).selectAll().orderBy('id').execute()
      return rows.map(toAccount)
    },
    async add(row) {
      const values = fromAccount(table, row)
      return database.transaction(statements => addAccount(statements, table, values))
    },
    async update(id, change) {
      const values = fromAccount(table, change)
      return database.transaction(statements => updateAccount(statements, table, id, values))
    },
    async delete(id) {
      const deleting = (statements: Statements) => statements.deleteFrom(table).where('id', '=', id).executeTakeFirst()
      return (await database.write(deleting)).numDeletedRows > 0
    },
    async setUsed(uses) {
      // Of repeated ids the last one counts.
      const usedById = new Map(uses.map(({ id, used }) => [id, used]))
      const [ids, times] = [[...usedById.keys()], [...usedById.values()]]
      if (ids.length === 0) return
      await database.write(statements =>
        sql`
          update ${sql.table(table)} set used = listed.used
          from unnest(${ids}::bigint[], ${times}::bigint[]) as listed (id, used)
          where ${sql.ref(`${table}.id`)} = listed.id
        `.execute(statements),
      )
    },
  }
}

/** Only the known keys are stored, not a password for instance; copied, as the caller may change its lists. */
export function fromAccount(table: AccountTable, account: New<Account>): Values
export function fromAccount(table: AccountTable, account: Partial<New<Account>>): Partial<Values>
export function fromAccount(table: AccountTable, account: Partial<New<Token>>): Partial<Values> {
  const { name, hash, role, centers, rooms, created, by, disabled, used, expires } = account
  return {
    name,
    hash,
    role,
    centers: centers && [...centers],
    rooms: rooms && [...rooms],
    created,
    maker: by,
    disabled,
    used,
    expires: table === 'tokens' ? expires : undefined,
  }
}

export function toUser({ maker: by, ...row }: Selectable<Tables['users']>): User {
  const { id, name, hash, role, centers, rooms, created, disabled, used } = row
  return { id, name, hash, role, centers, rooms, created, by, disabled, used }
}

async function addAccount(
  statements: Statements,
  table: AccountTable,
  values: Values,
): Promise<number | AccountConflict> {
  const conflict = await findConflict(statements, table, values)
  if (conflict) return conflict
  const { id } = await statements.insertInto(table).values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

async function updateAccount(
  statements: Statements,
  table: AccountTable,
  id: number,
  values: Partial<Values>,
): Promise<'updated' | 'unknown' | AccountConflict> {
  const before = await statements
    .selectFrom(table)
    .select(['id', 'name', 'centers', 'rooms'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return 'unknown'
  const conflict = await findConflict(statements, table, values, before)
  if (conflict) return conflict
  // Undefined values are not set, and the name lets the statement set something.
  const changes = { ...values, name: values.name ?? before.name }
  await statements.updateTable(table).set(changes).where('id', '=', id).execute()
  return 'updated'
}

/** A center or room that `before` names may have been deleted. */
async function findConflict(
  statements: Statements,
  table: AccountTable,
  { name, centers = [], rooms = [] }: Partial<Values>,
  before: Limits & { id: number } = { id: 0, centers: [], rooms: [] },
): Promise<AccountConflict | undefined> {
  const newCenters = centers.filter(id => !before.centers.includes(id))
  const newRooms = rooms.filter(id => !before.rooms.includes(id))
  const { rows } = await sql<{ is_taken: boolean } & Limits>`
    select
      exists (select from ${sql.table(table)} where name = ${name ?? null} and id <> ${before.id}) as is_taken,
      array(select id from centers where id = any(${newCenters}::bigint[])) as centers,
      array(select id from rooms where id = any(${newRooms}::bigint[])) as rooms
  `.execute(statements)
  const [existing] = rows
  if (existing?.is_taken) return 'name taken'
  if (newCenters.some(id => !existing?.centers.includes(id))) return 'unknown center'
  if (newRooms.some(id => !existing?.rooms.includes(id))) return 'unknown room'
  return undefined
}
