// `fleet user`: adds, lists, changes and deletes the users of the daemon.
import type { Command } from 'commander'
import type { UserEntry } from '../../services.ts'
import { findId } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { formatTable } from '../terminal/text-table.ts'
import {
  accountColumns,
  addPlaceOptions,
  addRoleOption,
  createPlaceNames,
  type PlaceFlags,
  placesOf,
  readPassword,
} from './account-options.ts'
import { confirm } from './confirm.ts'
import { addYesOption } from './shared-options.ts'

interface UpdateFlags extends PlaceFlags {
  role?: string
  rename?: string
  password?: true
  disable?: true
  enable?: true
}

export function addUsers(program: Command, context: CliContext): void {
  const user = program.command('user').description('add, list, change and delete users')
  addAdd(user, context)
  addList(user, context)
  addUpdate(user, context)
  addDelete(user, context)
}

const newPassword = ['New password:', 'The same again:']

function addAdd(user: Command, context: CliContext): void {
  addPlaceOptions(addRoleOption(user.command('add').argument('<name>'), true))
    .description('add a user; the password is asked for, or the first line of standard input')
    .action(async (name: string, { role, ...places }: PlaceFlags & { role: string }) => {
      const place = await placesOf(context.connect(), places)
      const password = await readPassword(context, newPassword)
      const { added } = await context.connect().call('POST /user/add', { name, password, role, ...place })
      context.print(`user ${name} is added with the id ${added}`)
    })
}

function addList(user: Command, { connect, print, printJson, width }: CliContext): void {
  user
    .command('list')
    .description('list users')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const { body } = await connect().call<{ users: UserEntry[] }>('GET /users')
      if (json) return printJson(body)
      const describe = await createPlaceNames(connect())
      const rows = body.users.map(row => ({ ...row, places: describe(row) }))
      print(rows.length === 0 ? 'no users' : formatTable(rows, accountColumns, width()))
    })
}

function addUpdate(user: Command, context: CliContext): void {
  addPlaceOptions(addRoleOption(user.command('update').argument('<name or id>'), false))
    .description('change a user')
    .option('--all-rooms', 'for all computers from now on')
    .option('--rename <name>', 'the new name')
    .option('--password', 'ask for a new password, or read it from standard input')
    .option('--disable', 'refuse the user')
    .option('--enable', 'accept the user again')
    .action(async (text: string, { role, rename, password, disable, enable, ...places }: UpdateFlags) => {
      if (disable && enable) throw usageError('--disable: expected no --enable with it, got both')
      const id = String(await findId(context.connect(), 'user', 'user', text))
      const place = await placesOf(context.connect(), places)
      const state = disable || enable ? { disabled: disable === true } : {}
      const word = password ? { password: await readPassword(context, newPassword) } : {}
      await context.connect().call('POST /user/update', { id, name: rename, role, ...word, ...state, ...place })
      context.print(`user ${id} is changed`)
    })
}

function addDelete(user: Command, context: CliContext): void {
  const { connect, print } = context
  addYesOption(user.command('delete').argument('<name or id>'))
    .description('delete a user')
    .action(async (text: string, { yes }: { yes?: true }) => {
      const id = String(await findId(connect(), 'user', 'user', text))
      const describe = async () => `Delete a user: ${text}`
      await confirm(context, yes, { where: 'user delete', needsConsent: false, describe })
      await connect().call('POST /user/delete', { id })
      print(`user ${id} is deleted`)
    })
}
