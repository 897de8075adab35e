// Tokens and users: who may call, and the centers and rooms that they are limited to.
import type { Account, AccountConflict, Accounts, New, Store, Token, User } from '../store.ts'
import type { Rows } from './tables/row-types.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Table } from './tables/table.ts'
import type { Tables } from './tables/tables.ts'

type AccountTable = 'tokens' | 'users'

export function tokensAndUsers(context: StoreContext): Pick<Store, AccountTable> {
  return {
    tokens: collection(context, 'tokens', copyToken),
    users: collection(context, 'users', copyUser),
  }
}

function collection<Name extends AccountTable>(
  { tables, mutate }: StoreContext,
  name: Name,
  copy: (id: number, row: New<Rows[Name]>) => Rows[Name],
): Accounts<Rows[Name]> {
  const rows: Table<Rows[Name]> = tables.all[name]
  return {
    async list() {
      return rows.sorted().map(row => copy(row.id, row))
    },
    add: row =>
      mutate(transaction => {
        const conflict = findConflict(tables, name, row)
        if (conflict) return conflict
        const id = rows.nextId()
        transaction.put(name, copy(id, row))
        return id
      }),
    update: (id, change) =>
      mutate(transaction => {
        const before = rows.get(id)
        if (!before) return 'unknown'
        const conflict = findConflict(tables, name, change, before)
        if (conflict) return conflict
        const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        transaction.put(name, copy(id, { ...before, ...defined }))
        return 'updated'
      }),
    delete: id =>
      mutate(transaction => {
        if (!rows.get(id)) return false
        transaction.delete(name, id)
        return true
      }),
    setUsed: uses =>
      mutate(transaction => {
        for (const { id, used } of uses) {
          const row = rows.get(id)
          if (row) transaction.put(name, { ...row, used })
        }
      }),
  }
}

/** A center or room that `before` names may have been deleted. */
function findConflict(
  { all, indexes }: Tables,
  table: AccountTable,
  { name, centers = [], rooms = [] }: Partial<Account>,
  before?: Readonly<Account>,
): AccountConflict | undefined {
  const owner = name === undefined ? undefined : indexes[table].id(name)
  if (owner !== undefined && owner !== before?.id) return 'name taken'
  if (centers.some(id => !all.centers.get(id) && !before?.centers.includes(id))) return 'unknown center'
  if (rooms.some(id => !all.rooms.get(id) && !before?.rooms.includes(id))) return 'unknown room'
  return undefined
}

/** Copies key by key: additional keys of a caller's object, such as a password, are not stored. */
export function copyUser(id: number, user: New<User>): User {
  return {
    id,
    name: user.name,
    hash: user.hash,
    role: user.role,
    centers: [...user.centers],
    rooms: [...user.rooms],
    created: user.created,
    by: user.by,
    disabled: user.disabled,
    used: user.used,
  }
}

export const copyToken = (id: number, token: New<Token>): Token => ({ ...copyUser(id, token), expires: token.expires })
