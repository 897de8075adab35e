// `fleet send`: sends any command that the daemon serves, with options derived from its payload's schema.
import { Command } from 'commander'
import type { CommandInfo } from '../api/command-catalogue.ts'
import { addFields, addressKeys, type Field, fieldsOf, payloadOf } from '../api/payload-options.ts'
import { resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { reportJob } from './job-results.ts'
import { addScopeOptions, addWaitOption } from './shared-options.ts'

interface Flags extends ScopeFlags {
  json?: string
  queue?: true
  expires?: string
  wake?: true
  wait?: true
}

const help = `
Options of commands for computers:
  --client <ip or name...>    computers
  --room <name or id...>      all computers of a room
  --center <name or id...>    all computers of a center; with --room: only its rooms are searched
  --queue                     clients that are off or busy get the command later
  --expires <seconds>         how long it may wait, with --queue
  --wake                      wake clients that are off, with --queue
  --wait                      wait until the job has ended; exit code 0 only if every client succeeded

Options of every command: those of its payload, and --json '{…}' with a payload whose keys they override.
fleet modules lists the commands, fleet send <command> --help the options of one.

  fleet send shell-run --room "Room 1" --run "uname -a" --echo --wait
  fleet send poweroff --client 10.1.1.11 10.1.1.12 --queue --wake
  fleet send center-add --name "Science faculty"`

export function addSend(program: Command, context: CliContext): void {
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
    await sendCommand(context, program, await findCommand(context.connect(), name), args)
  })
}

async function sendCommand(context: CliContext, program: Command, info: CommandInfo, args: string[]): Promise<void> {
  const { connect, print, printJson, printUntrusted } = context
  const { command, fields } = createParser(info, program)
  command.parse(args, { from: 'user' })
  const flags = command.opts<Flags>()
  const payload = payloadOf(fields, command.opts(), flags.json)
  const missing = fields.filter(({ key, required }) => required && !(key in payload)).map(({ option }) => option.long)
  if (missing.length > 0) throw usageError(`${info.name}: ${missing.join(', ')}: missing`)
  await addAddresses(context, info, flags, payload)
  const problem = info.check(payload)
  if (problem !== undefined) throw usageError(`${info.name}: ${problem}`)
  const { body, job } = await connect().call(info.route + formatQuery(flags), info.payload && payload)
  if (typeof body === 'string') printUntrusted(`${body.trimEnd()}\n`)
  else if (body !== undefined) printJson(body)
  else if (job === undefined) print('done')
  await reportJob(context, job, flags.wait === true)
}

const addressKeysOf = ({ payload }: CommandInfo) => addressKeys.filter(key => key in (payload?.properties ?? {}))

async function addAddresses(
  { connect }: CliContext,
  info: CommandInfo,
  flags: Flags,
  payload: Record<string, unknown>,
): Promise<void> {
  const keys = addressKeysOf(info)
  // A command without addresses may have --room and --center as keys of its payload.
  const addresses = keys.length === 0 ? [] : await resolveAddresses(connect(), flags)
  for (const key of keys) {
    if (addresses.length > 0) payload[key] = addresses
    else if (!(key in payload) && info.payload?.required?.includes(key))
      throw usageError(`${info.name}: expected --client, --room or --center, got none of them`)
  }
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

/** A parser with the options that all commands have and those of this command's payload. */
function createParser(info: CommandInfo, program: Command): { command: Command; fields: Field[] } {
  const command = new Command(`fleet send ${info.name}`).description(info.summary).copyInheritedSettings(program)
  command.option('--json <payload>', 'the payload as JSON; options override its keys')
  if (addressKeysOf(info).length > 0) addScopeOptions(command)
  if (info.forwards) {
    command.option('--queue', 'clients that are off or busy get the command later')
    command.option('--expires <seconds>', 'how long it may wait; implies --queue')
    command.option('--wake', 'wake clients that are off; implies --queue')
  }
  addWaitOption(command)
  const reserved = [...command.options, ...program.options].map(option => option.long?.slice(2) ?? '')
  const fields = fieldsOf(info.payload ?? {}, [...reserved, 'help'])
  addFields(command, fields)
  if (info.example) command.addHelpText('after', `\nExample of a payload: ${JSON.stringify(info.example)}`)
  return { command, fields }
}
