// What `fleet token` and `fleet user` do in the same way: list, change and delete accounts.
import type { Command } from 'commander'
import type { TokenEntry, UserEntry } from '../../contract/services.ts'
import { findId } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { type Column, formatTable } from '../terminal/text-table.ts'
import { type AccountRow, createPlaceNames } from './account-options.ts'
import { confirm } from './confirm.ts'
import { addYesOption } from './shared-options.ts'

export type AccountKind = 'token' | 'user'

export function addListAccounts(
  parent: Command,
  { connect, print, printJson, width }: CliContext,
  kind: AccountKind,
  columns: Column<AccountRow>[],
): void {
  parent
    .command('list')
    .description(`list ${kind}s`)
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const { body } = await connect().call<Record<string, (TokenEntry | UserEntry)[]>>(`GET /${kind}s`)
      if (json) return printJson(body)
      const describe = await createPlaceNames(connect())
      const rows = (body[`${kind}s`] ?? []).map(row => ({ ...row, places: describe(row) }))
      print(rows.length === 0 ? `no ${kind}s` : formatTable(rows, columns, width()))
    })
}

export function addDeleteAccount(parent: Command, context: CliContext, kind: AccountKind): void {
  const { connect, print } = context
  addYesOption(parent.command('delete').argument('<name or id>'))
    .description(`delete a ${kind}`)
    .action(async (text: string, { yes }: { yes?: true }) => {
      const id = String(await findId(connect(), kind, kind, text))
      const describe = async () => `Delete a ${kind}: ${text}`
      await confirm(context, yes, { where: `${kind} delete`, needsConsent: false, describe })
      await connect().call(`POST /${kind}/delete`, { id })
      print(`${kind} ${text} is deleted`)
    })
}

/** `text` is a name or an id. `readChange` is called when there is such an account: it may ask for a password. */
export async function updateAccount(
  { connect, print }: CliContext,
  kind: AccountKind,
  text: string,
  { done, readChange }: { done: string; readChange(): Promise<object> },
): Promise<void> {
  const id = String(await findId(connect(), kind, kind, text))
  await connect().call(`POST /${kind}/update`, { id, ...(await readChange()) })
  print(`${kind} ${text} is ${done}`)
}
