// `fleet user`: adds, lists, changes and deletes the users of the daemon.
import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import {
  accountColumns,
  addPlaceOptions,
  addRoleOption,
  type PlaceFlags,
  placesOf,
  readPassword,
} from './account-options.ts'
import { addDeleteAccount, addListAccounts, updateAccount } from './manage-accounts.ts'

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
  addListAccounts(user, context, 'user', accountColumns)
  addUpdate(user, context)
  addDeleteAccount(user, context, 'user')
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
      await updateAccount(context, 'user', text, {
        done: 'changed',
        readChange: async () => {
          const place = await placesOf(context.connect(), places)
          const state = disable || enable ? { disabled: disable === true } : {}
          const word = password ? { password: await readPassword(context, newPassword) } : {}
          return { name: rename, role, ...word, ...state, ...place }
        },
      })
    })
}
