// `fleet token` and `fleet user`: adds, lists, changes and deletes the named tokens of programs, and users.
import type { AccountAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { findId, readRecords, readScopes } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { newPasswordQuestions, readPassword } from './change-password.ts'
import { deletion } from './confirm.ts'
import { listClaims } from './list-claims.ts'
import { type FlagsOf, read, subcommand } from './subcommand.ts'
import { durationOf } from './subcommand-options.ts'

type Kind = 'token' | 'user'

const role = { text: 'what it may do', choices: ['read', 'operate', 'admin'] } as const
const roomOptions = {
  '--room <name or id...>': 'only the computers of these rooms',
  '--center <name or id...>': 'only the computers of these centers',
  '--group <name or id...>': 'only the computers of these groups',
} as const
const newOptions = { '--role <role>': { ...role, required: true }, ...roomOptions } as const
const changeOptions = {
  '--role <role>': role,
  ...roomOptions,
  '--all-rooms': 'for all computers from now on',
} as const
const expiresHelp = 'a time from now such as 90d, 12h or 30m, or never'
const expiresOption = { '--expires <time>': expiresHelp } as const
const tokenOptions = {
  ...changeOptions,
  '--name <name>': 'its new name',
  ...expiresOption,
  '--enable': 'accept it again',
} as const
const userOptions = {
  ...changeOptions,
  '--name <name>': 'the new name',
  '--password': 'ask for a new password, or read it from standard input',
  '--disable': 'refuse the user',
  '--enable': 'accept the user again',
} as const

type Change = Partial<FlagsOf<typeof tokenOptions> & FlagsOf<typeof userOptions>>

const addToken = subcommand({
  command: 'add <name>',
  description: 'add a token for a program, and print it: it cannot be read again',
  options: { ...newOptions, ...expiresOption },
  async run(context, flags, name) {
    const payload = { ...(await payloadOf(context, flags)), name }
    const { body } = await context.connect().call('POST /token/add', payload)
    context.print(body.token)
    context.printError(`token ${name} has the id ${body.id}; the daemon cannot show it again`)
  },
})

const addUser = subcommand({
  command: 'add <name>',
  description: 'add a user; the password is asked for, or the first line of standard input',
  options: newOptions,
  async run(context, flags, name) {
    const payload = { ...(await payloadOf(context, { ...flags, password: true })), name }
    const { added } = await context.connect().call('POST /user/add', payload)
    const { role, room = [], center = [], group = [] } = flags
    const places = [...room, ...center, ...group].join(', ') || 'all computers, now and later'
    context.print(`user ${name} is added with the id ${added}: ${role}, ${places}`)
  },
})

const edit = (kind: Kind, options: typeof tokenOptions | typeof userOptions) =>
  subcommand({
    command: 'edit <name or id>',
    alias: 'update',
    description: `change a ${kind}`,
    options,
    run: (context, flags, text) => change(context, kind, text, flags, 'changed'),
  })

const disableToken = subcommand({
  command: 'disable <name or id>',
  description: 'refuse a token until fleet token edit --enable',
  run: (context, _flags, text) => change(context, 'token', text, { disable: true }, 'disabled'),
})

/** `text` is a name or an id. */
async function change(context: CliContext, kind: Kind, text: string, flags: Change, done: string): Promise<void> {
  const api = context.connect()
  const id = String(await findId(api, kind, kind, text))
  await api.call(`POST /${kind}/update`, { id, ...(await payloadOf(context, flags)) })
  context.print(`${kind} ${text} is ${done}`)
}

/** The keys of a payload; those of absent options are undefined, and so not sent. Asks for a password at last. */
async function payloadOf(context: CliContext, flags: Change): Promise<object> {
  const { role, name, expires, password, disable, enable } = flags
  if (disable && enable) throw usageError('--disable: expected no --enable with it, got both')
  return {
    name,
    role,
    expires: expires === undefined ? undefined : expiryOf(expires),
    disabled: disable || enable ? disable === true : undefined,
    ...(await scopeOf(context.connect(), flags)),
    password: password && (await readPassword(context, newPasswordQuestions)),
  }
}

/** Seconds since 1970; 0 is never. */
function expiryOf(text: string): number {
  if (text === 'never') return 0
  const milliseconds = durationOf(text, 'dhm')
  if (!milliseconds) throw usageError(`--expires: expected ${expiresHelp}, got ${text}`)
  return Math.floor(Date.now() / 1000) + milliseconds / 1000
}

/** The keys `rooms`, `centers` and `groups` of a payload. An update with one of the options replaces all. */
async function scopeOf(api: ApiClient, { room, center, group, allRooms }: Change) {
  const isLimited = (room ?? center ?? group) !== undefined
  if (allRooms && isLimited) throw usageError('--all-rooms: expected no --room, --center or --group with it, got both')
  if (!isLimited && !allRooms) return {}
  const idsOf = (kind: 'room' | 'center' | 'group', texts: string[] = []) =>
    Promise.all(texts.map(text => findId(api, kind, `--${kind}`, text)))
  return {
    rooms: await idsOf('room', room),
    centers: await idsOf('center', center),
    groups: await idsOf('group', group),
  }
}

type AccountRow = AccountAnswer & { scope: string }

const list = (kind: Kind, columns: Column<AccountRow>[]) =>
  read({
    command: 'list',
    description: `list ${kind}s`,
    read: `GET /${kind}s`,
    async format(body, { context, width }) {
      const describe = await createScopeNames(context.connect())
      const accounts: AccountAnswer[] = 'tokens' in body ? body.tokens : body.users
      const rows = accounts.map((row): AccountRow => ({ ...row, scope: describe(row) }))
      return formatTable(rows, columns, width, `no ${kind}s`)
    },
  })

/** Describes the centers, rooms and groups of an account with their names; ids of deleted ones stay. */
export async function createScopeNames(api: ApiClient) {
  const { rooms, centers } = await readScopes(api)
  const groups = await readRecords(api, 'group')
  const names = (ids: number[], entries: { id: number; name: string }[]) =>
    ids.map(id => entries.find(each => each.id === id)?.name ?? `${id}`)
  return (row: { rooms: number[]; centers: number[]; groups?: number[] }) =>
    [
      ...names(row.centers, centers),
      ...names(row.rooms, rooms),
      ...names(row.groups ?? [], groups).map(name => `group ${name}`),
    ].join(', ') || 'all'
}

const timeOf = (seconds = 0) => (seconds === 0 ? 'never' : formatLocalTime(new Date(seconds * 1000).toISOString()))

const columns: Column<AccountRow>[] = [
  ...(['id', 'name', 'role', 'scope as rooms'] as const),
  { title: 'state', value: stateOf, colour: row => (stateOf(row) === 'active' ? 'green' : 'red') },
  { title: 'used', value: ({ used }) => timeOf(used) },
  'by',
]

const expiryColumn: Column<AccountRow> = { title: 'expires', value: ({ expires }) => timeOf(expires) }

function stateOf({ disabled, expires = 0 }: AccountRow): string {
  if (disabled) return 'disabled'
  return expires !== 0 && expires * 1000 <= Date.now() ? 'expired' : 'active'
}

/** Below `fleet token`. */
export const namedTokens = [
  addToken,
  list('token', [...columns, expiryColumn]),
  edit('token', tokenOptions),
  disableToken,
  deletion('token'),
]

export const user = subcommand({
  command: 'user',
  description: 'add, list, change and delete users',
  children: [addUser, list('user', columns), edit('user', userOptions), deletion('user'), listClaims],
})
