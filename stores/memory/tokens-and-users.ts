// Tokens and users: who may call, and the centers and rooms that they are limited to.
import type { Records } from '../records/all-records.ts'
import type { Account, AccountConflict, Accounts, Store } from '../store.ts'
import { recordTable } from './record-table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext } from './tables/transaction.ts'

type AccountTable = 'tokens' | 'users'

export function tokensAndUsers(context: StoreContext): Pick<Store, AccountTable> {
  return {
    tokens: collection(context, 'tokens'),
    users: collection(context, 'users'),
  }
}

function collection<Name extends AccountTable>(context: StoreContext, name: Name): Accounts<Records[Name]> {
  const { tables, mutate } = context
  const accounts = recordTable(tables, name)
  return {
    list: async () => accounts.list(),
    add: row => mutate(transaction => findConflict(tables, name, row) ?? accounts.add(transaction, row)),
    update: (id, change) =>
      mutate(transaction => {
        const before = accounts.find(id)
        if (!before) return 'unknown'
        return findConflict(tables, name, change, before) ?? accounts.change(transaction, id, change)
      }),
    delete: id =>
      mutate(transaction => {
        const account = accounts.find(id)
        if (account) transaction.delete(name, id)
        return account
      }),
    setUsed: uses =>
      mutate(transaction => {
        for (const { id, used } of uses) {
          const account = accounts.find(id)
          if (account) accounts.put(transaction, { ...account, used })
        }
      }),
  }
}

/** A center or room that `before` names may have been deleted. */
function findConflict(
  { all }: Tables,
  table: AccountTable,
  { name, centers = [], rooms = [] }: Partial<Account>,
  before?: Readonly<Account>,
): AccountConflict | undefined {
  const owner = name === undefined ? undefined : all[table].idOf(name)
  if (owner !== undefined && owner !== before?.id) return 'name taken'
  if (centers.some(id => !all.centers.get(id) && !before?.centers.includes(id))) return 'unknown center'
  if (rooms.some(id => !all.rooms.get(id) && !before?.rooms.includes(id))) return 'unknown room'
  return undefined
}
