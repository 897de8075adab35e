// `fleet token add`, `list`, `update`, `disable` and `delete`: the named tokens of programs.
import type { Command } from 'commander'
import type { TokenEntry } from '../../services.ts'
import { findId } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { formatTable } from '../terminal/text-table.ts'
import {
  addPlaceOptions,
  addRoleOption,
  createPlaceNames,
  type PlaceFlags,
  placesOf,
  tokenColumns,
} from './account-options.ts'
import { confirm } from './confirm.ts'
import { addYesOption } from './shared-options.ts'

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
  addList(token, context)
  addUpdate(token, context)
  addDisable(token, context)
  addDelete(token, context)
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

function addList(token: Command, { connect, print, printJson, width }: CliContext): void {
  token
    .command('list')
    .description('list the tokens of programs')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const { body } = await connect().call<{ tokens: TokenEntry[] }>('GET /tokens')
      if (json) return printJson(body)
      const describe = await createPlaceNames(connect())
      const rows = body.tokens.map(row => ({ ...row, places: describe(row) }))
      print(rows.length === 0 ? 'no tokens' : formatTable(rows, tokenColumns, width()))
    })
}

function addUpdate(token: Command, { connect, print }: CliContext): void {
  addPlaceOptions(addRoleOption(token.command('update').argument('<name or id>'), false))
    .description('change a token')
    .option('--all-rooms', 'for all computers from now on')
    .option('--rename <name>', 'its new name')
    .option('--expires <time>', expiresHelp)
    .option('--enable', 'accept it again')
    .action(async (text: string, { role, expires, rename, enable, ...places }: UpdateFlags) => {
      const id = String(await findId(connect(), 'token', 'token', text))
      const expiry = expires === undefined ? {} : { expires: expiryOf(expires) }
      const state = enable ? { disabled: false } : {}
      const place = await placesOf(connect(), places)
      await connect().call('POST /token/update', { id, name: rename, role, ...expiry, ...state, ...place })
      print(`token ${id} is changed`)
    })
}

function addDisable(token: Command, { connect, print }: CliContext): void {
  token
    .command('disable')
    .description('refuse a token until fleet token update --enable')
    .argument('<name or id>')
    .action(async (text: string) => {
      const id = String(await findId(connect(), 'token', 'token', text))
      await connect().call('POST /token/update', { id, disabled: true })
      print(`token ${id} is disabled`)
    })
}

function addDelete(token: Command, context: CliContext): void {
  const { connect, print } = context
  addYesOption(token.command('delete').argument('<name or id>'))
    .description('delete a token')
    .action(async (text: string, { yes }: { yes?: true }) => {
      const id = String(await findId(connect(), 'token', 'token', text))
      const describe = async () => `Delete a token: ${text}`
      await confirm(context, yes, { where: 'token delete', needsConsent: false, describe })
      await connect().call('POST /token/delete', { id })
      print(`token ${id} is deleted`)
    })
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
