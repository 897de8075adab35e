// `fleet send`: sends any command that the daemon serves, with options derived from its payload's schema.
import { Command, Option } from 'commander'
import { runsScript } from '../../contract/api-document.ts'
import type { ApiClient, ApiResponse } from '../api/client.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import {
  addFields,
  addressKeys,
  type Field,
  fieldsOf,
  optionName,
  payloadOf,
  resolveRecords,
} from '../api/payload-options.ts'
import { followedQuery, resolveAddresses, type ScopeFlags } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { confirm, describeEffect, printContent } from './confirm.ts'
import { reportJob } from './job-results.ts'
import { type Add, addOptions, type FlagsOf } from './subcommand.ts'
import { noComputers, scopeOptions, waitOption, yesOption } from './subcommand-options.ts'

const jsonOption = { '--json <payload>': 'the payload as JSON; options override its keys' } as const
const queueOptions = {
  '--queue': 'clients that are off or busy get the command later',
  '--expires <seconds>': 'how long it may wait; implies --queue',
  '--wake': 'wake clients that are off; implies --queue',
} as const

type LongScopeFlags = ScopeFlags & Partial<Record<'onClient' | 'onRoom' | 'onCenter', string[]>>
type Flags = LongScopeFlags & FlagsOf<typeof jsonOption & typeof queueOptions & typeof waitOption & typeof yesOption>

const help = `
Options of commands for computers:
  --client <ip or name...>    computers
  --room <name or id...>      all computers of a room
  --center <name or id...>    all computers of a center; with --room: only its
                              rooms are searched
  --where <query>             the computers that it finds: see fleet search
  --group <name or id>        the computers of a group
  --queue                     clients that are off or busy get the command later
  --expires <seconds>         how long it may wait, with --queue
  --wake                      wake clients that are off, with --queue
  --wait                      wait until the job has ended; exit code 0 only if
                              every client succeeded

Where the payload has a key room or center, --room and --center set that key:
there --on-client, --on-room and --on-center select the computers. Where it has
a key where or group, as of a task, that is what is stored: it is for the
computers that it finds each time. So is a room or center: computers that get
into it later are meant, too. A list of computers stays as it is.

Options of every command:
  --json <payload>            the payload in JSON; options override its keys
  --yes                       do not ask before something is deleted or ended
  and one for each key of the payload; where a key is an id, a name will do.

fleet modules lists the commands, fleet send <command> --help its options.

  fleet send shell-run --room "Room 1" --run "uname -a" --echo --wait
  fleet send reboot --where 'tag:exam os:windows'
  fleet send poweroff --client 10.1.1.11 10.1.1.12 --queue --wake
  fleet send task-add --center "Arts" --name Evening --on-room "Room 1"
  fleet send center-add --name "Arts"`

export const send: Add = (program, context) => {
  const send = program
    .command('send')
    .usage('<command> [options]')
    .description('send any command, with its payload as options')
    .argument('[command]')
    .allowExcessArguments()
    .addHelpText('after', help)
    // The options depend on the command, which is not known yet.
    .allowUnknownOption()
    .helpOption(false)
  send.action(async () => {
    const [name, ...args] = send.args
    if (name === '-h' || name === '--help') return send.outputHelp()
    if (name === undefined || name.startsWith('-'))
      throw usageError(`send: expected a command first, got ${name ?? 'nothing'}; see fleet send --help`)
    // Loaded here because it loads Ajv, which no other subcommand should wait for.
    const { findCommand } = await import('../api/command-catalogue.ts')
    const info = await findCommand(context.connect(), name)
    await sendCommand(context, info, createSendParser(info, program), args)
  })
}

interface SendParser {
  command: Command
  fields: Field[]
  /** The options of the selection of clients that this payload has a key for: there they have the prefix `on-`. */
  taken: string[]
}

/** The options of all commands, and those of this command's payload. */
export function createSendParser(info: CommandInfo, program: Command): SendParser {
  const command = new Command(`fleet send ${info.name}`).description(info.summary).copyInheritedSettings(program)
  const { forward, isDestructive } = info
  addOptions(command, { ...jsonOption, ...(forward && queueOptions), ...waitOption, ...(isDestructive && yesOption) })
  const reserved = [...command.options, ...program.options].map(option => option.long?.slice(2) ?? '')
  const fields = fieldsOf(info.payload ?? {}, [...reserved, 'help'], info.route)
  const keys = fields.map(({ key }) => `--${optionName(key)}`)
  const taken = keys.filter(key => Object.keys(scopeOptions).some(flags => flags.startsWith(`${key} `)))
  for (const [flags, description] of addressKeysOf(info).length > 0 ? Object.entries(scopeOptions) : []) {
    const isTaken = taken.some(key => flags.startsWith(`${key} `))
    if (isTaken && isQuery(flags)) continue
    // Without a collision both names work, so that scripts may always use the long one.
    if (!isQuery(flags)) command.addOption(new Option(flags.replace('--', '--on-'), description).hideHelp(!isTaken))
    if (!isTaken) command.option(flags, description)
  }
  addFields(command, fields)
  if (info.example) command.addHelpText('after', `\nExample of a payload: ${JSON.stringify(info.example)}`)
  return { command, fields, taken }
}

/** Where a payload has such a key itself, it finds its computers each time. */
const isQuery = (flags: string) => /^--(where|group) /.test(flags)

/** The keys of its payload that have addresses. */
const addressKeysOf = ({ payload }: CommandInfo): string[] =>
  addressKeys.filter(key => key in (payload?.properties ?? {}))

/** The selection, without the options in `taken`; a query or group that the JSON names is taken out of the payload. */
function scopeOf(flags: LongScopeFlags, { taken }: SendParser, payload: Record<string, unknown>): ScopeFlags {
  const { onClient = [], onRoom = [], onCenter = [] } = flags
  const short = (name: 'client' | 'room' | 'center') => (taken.includes(`--${name}`) ? [] : (flags[name] ?? []))
  const query = (key: 'where' | 'group') => {
    if (taken.includes(`--${key}`)) return undefined
    const { [key]: inJson } = payload
    delete payload[key]
    return flags[key] ?? (inJson === undefined ? undefined : String(inJson))
  }
  return {
    client: [...short('client'), ...onClient],
    room: [...short('room'), ...onRoom],
    center: [...short('center'), ...onCenter],
    where: query('where'),
    group: query('group'),
  }
}

/**
 * The addresses that are chosen. A payload that has computers or a query is stored, and finds its computers later: rooms
 * and centers become a query, so that it is for those that they have then.
 */
async function findComputers(
  api: ApiClient,
  { payload: schema }: CommandInfo,
  scope: ScopeFlags,
  payload: Record<string, unknown>,
): Promise<string[]> {
  const { client = [], room = [], center = [] } = scope
  const isStored = schema?.properties?.clients !== undefined && schema.properties.where !== undefined
  if (!isStored || room.length + center.length === 0) return resolveAddresses(api, scope)
  if (client.length > 0 || 'where' in payload || 'group' in payload)
    throw usageError('expected either rooms and centers, which are followed, or computers or a query, got both')
  payload.where = await followedQuery(api, scope)
  return []
}

async function sendCommand(context: CliContext, info: CommandInfo, parser: SendParser, args: string[]): Promise<void> {
  const { command, fields } = parser
  command.parse(args, { from: 'user' })
  const flags = command.opts<Flags>()
  const api = context.connect()
  if (info.streams) throw usageError(`send: ${info.name} responds with a stream of events; fleet events shows them`)
  const payload = payloadOf(fields, command.opts(), flags.json)
  await resolveRecords(api, fields, command.opts(), payload)
  const missing = fields.filter(({ key, required }) => required && !(key in payload)).map(({ option }) => option.long)
  if (missing.length > 0) throw usageError(`${info.name}: ${missing.join(', ')}: missing`)
  const keys = addressKeysOf(info)
  // A command without addresses may have --room and --center as keys of its payload.
  const addresses = keys.length === 0 ? [] : await findComputers(api, info, scopeOf(flags, parser, payload), payload)
  for (const key of keys) {
    if (addresses.length > 0) payload[key] = addresses
    else if (!(key in payload) && info.payload?.required?.includes(key))
      throw usageError(`${info.name}: ${noComputers}`)
  }
  const problem = info.check(payload)
  if (problem !== undefined) throw usageError(`${info.name}: ${problem}`)
  const query = formatQuery(flags)
  if (info.isDestructive) {
    const describe = async () =>
      `${await describeEffect(api, info, fields, payload)}${await printContent(context, info, payload)}`
    await confirm(context, flags.yes, { where: info.name, needsConsent: info.needsConsent, describe })
  }
  const response = await api.call(info.route + query, info.payload && payload)
  printResponse(context, info, response)
  await reportJob(context, response.job, { wait: flags.wait, outputs: runsScript(info.forward) ? 'between' : 'none' })
}

function printResponse(
  { print, printJson, printUntrusted }: CliContext,
  { route }: CommandInfo,
  { body, job, added }: ApiResponse<unknown>,
): void {
  if (typeof body === 'string') printUntrusted(`${body.trimEnd()}\n`)
  else if (body !== undefined) printJson(body)
  // What the route begins with is what was added: POST /center/add.
  if (added !== undefined) print(`added ${route.split('/')[1]} ${added}`)
  else if (body === undefined && job === undefined) print('done')
}

/** The query of the request: queueing is no part of the payload. */
function formatQuery({ queue, expires, wake }: Flags): string {
  if (expires !== undefined && !/^[1-9]\d{0,8}$/.test(expires))
    throw usageError(`--expires: expected seconds, got ${expires}`)
  const query = new URLSearchParams()
  if (expires !== undefined) query.set('expires', expires)
  if (wake) query.set('wake', '1')
  if (queue || query.size > 0) query.set('queue', '1')
  return query.size === 0 ? '' : `?${query}`
}
