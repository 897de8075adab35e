// `fleet send`: any command that the daemon serves, with options out of its payload's schema.
import { Command } from 'commander'
import type { CommandInfo } from '../api/command-catalogue.ts'
import { addFields, addressKeys, type Field, fieldsOf, payloadOf } from '../api/payload-options.ts'
import { type Chosen, chooseAddresses } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { usageError } from '../terminal/failure.ts'
import { tellJob } from './jobs.ts'

interface Flags extends Chosen {
  json?: string
  queue?: true
  expires?: string
  wake?: true
  wait?: true
}

const help = `
Of a command for computers:
  --client <ip or name...>    computers
  --room <name or id...>      all computers of a room
  --center <name or id...>    all computers of a center; with --room: whose rooms these are
  --queue                     clients that are off or busy get it later
  --expires <seconds>         how long it may wait, with --queue
  --wake                      wakes those that are off, with --queue
  --wait                      until all of it has ended; exit code 0 only if every client succeeded

Of any command: its own options, and --json '{…}' with a payload that they are laid over.
fleet modules lists the commands, fleet send <command> --help the options of one.

  fleet send shell-run --room "Room 1" --run "uname -a" --echo --wait
  fleet send poweroff --client 10.1.1.11 10.1.1.12 --queue --wake
  fleet send center-add --name "Science faculty"`

export function addSend(program: Command, session: CliContext): void {
  const send = program
    .command('send')
    .usage('<command> [options]')
    .description('send any command, with its payload as options')
    .argument('[command]')
    .allowExcessArguments()
    .addHelpText('after', help)
    // What the options are is known when the command is.
    .allowUnknownOption()
    .helpOption(false)
  send.action(async () => {
    const [name, ...words] = send.args
    if (name === '-h' || name === '--help') return send.outputHelp()
    if (name === undefined || name.startsWith('-')) throw usageError('send: the command comes first; --help says more')
    // With it comes the check of schemas, for which no other subcommand shall wait.
    const { findCommand } = await import('../api/command-catalogue.ts')
    await perform(session, await findCommand(session.connect(), name), words, program)
  })
}

async function perform(session: CliContext, known: CommandInfo, words: string[], program: Command): Promise<void> {
  const { connect, print, printJson, pass } = session
  const { command, fields } = ownCommand(known, program)
  command.parse(words, { from: 'user' })
  const flags = command.opts<Flags>()
  const payload = payloadOf(fields, command.opts(), flags.json)
  const missing = fields.filter(({ key, required }) => required && !(key in payload)).map(({ option }) => option.long)
  if (missing.length > 0) throw usageError(`${known.name}: ${missing.join(', ')}: missing`)
  const keys = addressKeysOf(known)
  // Of a command that is not about computers `--room` and `--center` may be keys of its own.
  const addresses = keys.length === 0 ? [] : await chooseAddresses(connect(), flags)
  for (const key of keys) {
    if (addresses.length > 0) payload[key] = addresses
    else if (!(key in payload) && known.payload?.required?.includes(key))
      throw usageError(`${known.name}: --client: missing; --client, --room or --center would say for whom`)
  }
  const misfit = known.check(payload)
  if (misfit !== undefined) throw usageError(`${known.name}: ${misfit}`)
  const { body, job } = await connect().call(known.route + wishes(flags), known.payload && payload)
  if (typeof body === 'string') pass(`${body.trimEnd()}\n`)
  else if (body !== undefined) printJson(body)
  else if (job === undefined) print('done')
  await tellJob(session, job, flags.wait === true)
}

const addressKeysOf = ({ payload }: CommandInfo) => addressKeys.filter(key => key in (payload?.properties ?? {}))

/** Queue, expiry and wake-up are the request's, not the payload's. */
function wishes({ queue, expires, wake }: Flags): string {
  if (expires !== undefined && !/^[1-9]\d{0,8}$/.test(expires))
    throw usageError(`--expires: expected seconds, got ${expires}`)
  const query = new URLSearchParams({ ...(expires && { expires }), ...(wake && { wake: '1' }) })
  if (queue || query.size > 0) query.set('queue', '1')
  return query.size === 0 ? '' : `?${query}`
}

/** The command's own options beside those that are the same for all. */
function ownCommand(known: CommandInfo, program: Command): { command: Command; fields: Field[] } {
  const command = new Command(`fleet send ${known.name}`).description(known.summary).copyInheritedSettings(program)
  command.option('--json <payload>', 'the payload as JSON; options are laid over it')
  if (addressKeysOf(known).length > 0) {
    command.option('--client <ip or name...>', 'computers')
    command.option('--room <name or id...>', 'all computers of a room')
    command.option('--center <name or id...>', 'all computers of a center; with --room: whose rooms these are')
  }
  if (known.forwards) {
    command.option('--queue', 'clients that are off or busy get it later')
    command.option('--expires <seconds>', 'how long it may wait; goes with --queue')
    command.option('--wake', 'wakes those that are off; goes with --queue')
  }
  command.option('--wait', 'until all of it has ended; exit code 0 only if every client succeeded')
  const taken = [...command.options, ...program.options].map(option => option.long?.slice(2) ?? '')
  const fields = fieldsOf(known.payload ?? {}, [...taken, 'help'])
  addFields(command, fields)
  if (known.example) command.addHelpText('after', `\nA payload of it: ${JSON.stringify(known.example)}`)
  return { command, fields }
}
