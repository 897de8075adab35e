// `fleet send`: sends any command that the daemon serves, with options derived from its payload's schema.
import type { Command } from 'commander'
import type { ApiResponse } from '../api/client.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type CommandParser, createCommandParser, readPayload, readQuery } from './command-parser.ts'
import { confirm, describeEffect, printContent, undoHint } from './confirm.ts'
import { reportJob } from './job-results.ts'
import type { Add, FlagsOf } from './subcommand.ts'
import { waitOption, yesOption } from './subcommand-options.ts'

const jsonOption = { '--json <payload>': 'the payload as JSON; options override its keys' } as const
const queueOptions = {
  '--queue': 'clients that are off or busy get the command later',
  '--expires <seconds>': 'how long it may wait; implies --queue',
  '--wake': 'wake clients that are off; implies --queue',
} as const

type Flags = FlagsOf<typeof queueOptions & typeof waitOption & typeof yesOption>

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
  and one for each key of the payload, of a GET also of the query; where a key is
  an id, a name will do.

fleet modules lists the commands, fleet send <command> --help its options.

What is done every day has a shorter way: fleet run, wake, poweroff, room add.

  fleet send hardware --room "Room 1" --wait
  fleet send mode --where 'tag:exam os:windows' --mode 10
  fleet send refresh --client 10.1.1.11 10.1.1.12 --queue --wake
  fleet send schedule-command --command poweroff --params {} --room "Room 1"`

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

/** The options of all commands, and those of this command's payload and query. */
export function createSendParser(info: CommandInfo, program: Command): CommandParser {
  const { forward, isDestructive } = info
  const options = { ...jsonOption, ...(forward && queueOptions), ...waitOption, ...(isDestructive && yesOption) }
  const parser = createCommandParser(info, program, { title: `send ${info.name}`, where: info.name, options })
  if (info.example) parser.command.addHelpText('after', `\nExample of a payload: ${JSON.stringify(info.example)}`)
  return parser
}

async function sendCommand(context: CliContext, info: CommandInfo, parser: CommandParser, args: string[]) {
  const { command } = parser
  command.parse(args, { from: 'user' })
  const flags = command.opts<Flags>()
  const api = context.connect()
  if (info.streams) throw usageError(`send: ${info.name} responds with a stream of events; fleet events shows them`)
  const payload = await readPayload(api, info, parser)
  const query = new URLSearchParams([...(await readQuery(api, parser)), ...queueQuery(flags)])
  if (info.isDestructive) {
    const describe = async () =>
      `${await describeEffect(api, info, parser.fields, payload)}${await printContent(context, info, payload)}`
    await confirm(context, flags.yes, { where: info.name, needsConsent: info.needsConsent, describe })
  }
  const response = await api.call(`${info.route}${query.size > 0 ? `?${query}` : ''}`, info.payload && payload)
  printResponse(context, info, response)
  await reportJob(context, response.job, { wait: flags.wait })
}

function printResponse(
  { print, printJson, printUntrusted }: CliContext,
  { route }: CommandInfo,
  { body, job, added, undo }: ApiResponse<unknown>,
): void {
  if (typeof body === 'string') printUntrusted(`${body.trimEnd()}\n`)
  else if (body !== undefined) printJson(body)
  // What the route begins with is what was added: POST /center/add.
  if (added !== undefined) print(`added ${route.split('/')[1]} ${added}`)
  else if (body === undefined && job === undefined) print(`done${undoHint(undo)}`)
}

/** Queueing is no part of the payload. */
function queueQuery({ queue, expires, wake }: Flags): URLSearchParams {
  if (expires !== undefined && !/^[1-9]\d{0,8}$/.test(expires))
    throw usageError(`--expires: expected seconds, got ${expires}`)
  const query = new URLSearchParams()
  if (expires !== undefined) query.set('expires', expires)
  if (wake) query.set('wake', '1')
  if (queue || query.size > 0) query.set('queue', '1')
  return query
}
