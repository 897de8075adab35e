// `fleet token` and `fleet user`: adds, lists, changes and deletes the named tokens of programs, and users.
import { type Command, Option } from 'commander'
import type { AccountAnswer, NewTokenAnswer } from '../../contract/answers.ts'
import { findId } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { createPlaceNames, type PlaceFlags, placesOf } from './account-places.ts'
import { addRead } from './add-read.ts'
import { confirm } from './confirm.ts'
import { readPassword } from './read-password.ts'
import { addYesOption, durationOf } from './shared-options.ts'

type Kind = 'token' | 'user'

interface Flags extends PlaceFlags {
  role?: string
  rename?: string
  expires?: string
  password?: true
  disable?: true
  enable?: true
}

const expiresHelp = 'a time from now such as 90d, 12h or 30m, or never'
const expiresOption = ['--expires <time>', expiresHelp] as const

/** Adds to the subcommand `token`. */
export function addNamedTokens(token: Command, context: CliContext): void {
  const { connect, print, printError } = context
  addRights(token.command('add').argument('<name>'), true)
    .description('add a token for a program, and print it: it cannot be read again')
    .option(...expiresOption)
    .action(async (name: string, flags: Flags) => {
      const payload = { ...(await changeOf(context, flags)), name }
      const { body } = await connect().call<NewTokenAnswer>('POST /token/add', payload)
      print(body.token)
      printError(`token ${name} has the id ${body.id}; the daemon cannot show it again`)
    })
  addList(token, context, 'token', [
    ...columns,
    { title: 'expires', value: ({ expires = 0 }: AccountRow) => timeOf(expires) },
  ])
  addUpdate(token, context, 'token', [
    ['--rename <name>', 'its new name'],
    expiresOption,
    ['--enable', 'accept it again'],
  ])
  token
    .command('disable')
    .description('refuse a token until fleet token update --enable')
    .argument('<name or id>')
    .action((text: string) => update(context, 'token', text, { disable: true }, 'disabled'))
  addDelete(token, context, 'token')
}

export function addUsers(program: Command, context: CliContext): void {
  const user = program.command('user').description('add, list, change and delete users')
  addRights(user.command('add').argument('<name>'), true)
    .description('add a user; the password is asked for, or the first line of standard input')
    .action(async (name: string, flags: Flags) => {
      const payload = { ...(await changeOf(context, { ...flags, password: true })), name }
      const { added } = await context.connect().call('POST /user/add', payload)
      context.print(`user ${name} is added with the id ${added}`)
    })
  addList(user, context, 'user', columns)
  addUpdate(user, context, 'user', [
    ['--rename <name>', 'the new name'],
    ['--password', 'ask for a new password, or read it from standard input'],
    ['--disable', 'refuse the user'],
    ['--enable', 'accept the user again'],
  ])
  addDelete(user, context, 'user')
}

const addRights = (command: Command, needsRole: boolean): Command =>
  command
    .addOption(
      new Option('--role <role>', 'what it may do')
        .choices(['read', 'operate', 'admin'])
        .makeOptionMandatory(needsRole),
    )
    .option('--room <name or id...>', 'only the computers of these rooms')
    .option('--center <name or id...>', 'only the computers of these centers')

function addUpdate(
  parent: Command,
  context: CliContext,
  kind: Kind,
  options: (readonly [flags: string, description: string])[],
): void {
  const command = addRights(parent.command('update').argument('<name or id>'), false)
    .description(`change a ${kind}`)
    .option('--all-rooms', 'for all computers from now on')
    .action((text: string, flags: Flags) => update(context, kind, text, flags, 'changed'))
  for (const [flags, description] of options) command.option(flags, description)
}

/** `text` is a name or an id. */
async function update(context: CliContext, kind: Kind, text: string, flags: Flags, done: string): Promise<void> {
  const api = context.connect()
  const id = String(await findId(api, kind, kind, text))
  await api.call(`POST /${kind}/update`, { id, ...(await changeOf(context, flags)) })
  context.print(`${kind} ${text} is ${done}`)
}

/** The keys of a payload; those of absent options are undefined, and so not sent. Asks for a password at last. */
async function changeOf(context: CliContext, flags: Flags): Promise<object> {
  const { role, rename, expires, password, disable, enable } = flags
  if (disable && enable) throw usageError('--disable: expected no --enable with it, got both')
  return {
    name: rename,
    role,
    expires: expires === undefined ? undefined : expiryOf(expires),
    disabled: disable || enable ? disable === true : undefined,
    ...(await placesOf(context.connect(), flags)),
    password: password && (await readPassword(context, ['New password:', 'The same again:'])),
  }
}

/** Seconds since 1970; 0 is never. */
function expiryOf(text: string): number {
  if (text === 'never') return 0
  const milliseconds = durationOf(text, 'dhm')
  if (!milliseconds) throw usageError(`--expires: expected ${expiresHelp}, got ${text}`)
  return Math.floor(Date.now() / 1000) + milliseconds / 1000
}

type AccountRow = AccountAnswer & { places: string }

function addList(parent: Command, context: CliContext, kind: Kind, columns: Column<AccountRow>[]): void {
  addRead(parent, context, {
    name: 'list',
    description: `list ${kind}s`,
    read: `GET /${kind}s`,
    async format(body: Record<string, AccountAnswer[]>, width) {
      const describe = await createPlaceNames(context.connect())
      const rows: AccountRow[] = (body[`${kind}s`] ?? []).map(row => ({ ...row, places: describe(row) }))
      return rows.length === 0 ? `no ${kind}s` : formatTable(rows, columns, width)
    },
  })
}

const timeOf = (seconds: number) => (seconds === 0 ? 'never' : formatLocalTime(new Date(seconds * 1000).toISOString()))

const columns: Column<AccountRow>[] = [
  'id',
  'name',
  'role',
  { title: 'rooms', value: ({ places }) => places },
  { title: 'state', value: stateOf, colour: row => (stateOf(row) === 'active' ? 'green' : 'red') },
  { title: 'used', value: ({ used }) => timeOf(used) },
  'by',
]

function stateOf({ disabled, expires = 0 }: AccountRow): string {
  if (disabled) return 'disabled'
  return expires !== 0 && expires * 1000 <= Date.now() ? 'expired' : 'active'
}

function addDelete(parent: Command, context: CliContext, kind: Kind): void {
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
