// `fleet token add`, `list`, `update`, `disable` and `delete`: the named tokens of programs.
import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { addPlaceOptions, addRoleOption, type PlaceFlags, placesOf, tokenColumns } from './account-options.ts'
import { addDeleteAccount, addListAccounts, updateAccount } from './manage-accounts.ts'

interface Flags extends PlaceFlags {
  role?: string
  expires?: string
}

interface UpdateFlags extends Flags {
  rename?: string
  enable?: true
}

/** Adds to the subcommand `token`, which must exist. */
export function addNamedTokens(program: Command, context: CliContext): void {
  const token = program.commands.find(command => command.name() === 'token')
  if (!token) throw new Error('token: expected the subcommand to be defined before')
  addAdd(token, context)
  addListAccounts(token, context, 'token', tokenColumns)
  addUpdate(token, context)
  addDisable(token, context)
  addDeleteAccount(token, context, 'token')
}

const expiresHelp = 'a time from now such as 90d, 12h or 30m, or never'

function addAdd(token: Command, { connect, print, printError }: CliContext): void {
  addPlaceOptions(addRoleOption(token.command('add').argument('<name>'), true))
    .description('add a token for a program, and print it: it cannot be read again')
    .option('--expires <time>', expiresHelp)
    .action(async (name: string, { role, expires, ...places }: Flags) => {
      const expiry = expires === undefined ? {} : { expires: expiryOf(expires) }
      const payload = { name, role, ...expiry, ...(await placesOf(connect(), places)) }
      const { body } = await connect().call<{ id: number; token: string }>('POST /token/add', payload)
      print(body.token)
      printError(`token ${name} has the id ${body.id}; the daemon cannot show it again`)
    })
}

function addUpdate(token: Command, context: CliContext): void {
  addPlaceOptions(addRoleOption(token.command('update').argument('<name or id>'), false))
    .description('change a token')
    .option('--all-rooms', 'for all computers from now on')
    .option('--rename <name>', 'its new name')
    .option('--expires <time>', expiresHelp)
    .option('--enable', 'accept it again')
    .action(async (text: string, { role, expires, rename, enable, ...places }: UpdateFlags) => {
      await updateAccount(context, 'token', text, {
        done: 'changed',
        readChange: async () => {
          const expiry = expires === undefined ? {} : { expires: expiryOf(expires) }
          const state = enable ? { disabled: false } : {}
          const place = await placesOf(context.connect(), places)
          return { name: rename, role, ...expiry, ...state, ...place }
        },
      })
    })
}

function addDisable(token: Command, context: CliContext): void {
  token
    .command('disable')
    .description('refuse a token until fleet token update --enable')
    .argument('<name or id>')
    .action((text: string) =>
      updateAccount(context, 'token', text, { done: 'disabled', readChange: async () => ({ disabled: true }) }),
    )
}

const unitSeconds: Record<string, number> = { d: 86_400, h: 3600, m: 60 }

/** Seconds since 1970. */
function expiryOf(text: string): number {
  if (text === 'never') return 0
  const [, count, unit = ''] = /^([1-9]\d{0,5})([dhm])$/.exec(text) ?? []
  const seconds = unitSeconds[unit]
  if (seconds === undefined) throw usageError(`--expires: expected ${expiresHelp}, got ${text}`)
  return Math.floor(Date.now() / 1000) + Number(count) * seconds
}
