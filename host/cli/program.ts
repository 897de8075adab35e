// Runs `fleet` once: defines its subcommands, parses the arguments and reports errors.
import { Command, CommanderError } from 'commander'
import { message } from '../log/log.ts'
import { version } from '../system/version.ts'
import { type ApiClient, createApiClient } from './api/client.ts'
import { withNearName } from './api/missing-record.ts'
import { findSettings } from './api/settings.ts'
import { CliError, DryRun } from './cli-error.ts'
import { agent } from './commands/agent-runtime.ts'
import { token } from './commands/api-token.ts'
import { boot } from './commands/boot-setup.ts'
import { passwd } from './commands/change-password.ts'
import { historyCommands } from './commands/changes-history.ts'
import { computerCommands } from './commands/clients.ts'
import { inventoryCommands } from './commands/compare-inventory.ts'
import { completion } from './commands/completion.ts'
import { drain } from './commands/drain-daemon.ts'
import { audit, events } from './commands/follow.ts'
import { exportComputers, importComputers } from './commands/import.ts'
import { job } from './commands/jobs.ts'
import { failures } from './commands/list-failures.ts'
import { jobs } from './commands/list-jobs.ts'
import { imageLists, serverLists } from './commands/lists.ts'
import { live } from './commands/live-systems.ts'
import { sessionCommands } from './commands/login-session.ts'
import { manPage } from './commands/man-page.ts'
import { user } from './commands/manage-accounts.ts'
import { group, tag } from './commands/manage-groups.ts'
import { hook } from './commands/manage-hooks.ts'
import { image } from './commands/manage-images.ts'
import { pack } from './commands/manage-packs.ts'
import { recordCommands } from './commands/manage-records.ts'
import { script } from './commands/manage-scripts.ts'
import { newCommand, newHook, newPack } from './commands/new-command.ts'
import { night } from './commands/night.ts'
import { nightly } from './commands/nightly.ts'
import { checkCommands, serve } from './commands/offline.ts'
import { restore } from './commands/planned-restore.ts'
import { powerCommands } from './commands/power.ts'
import { ansibleInventory } from './commands/print-ansible.ts'
import { doctor } from './commands/print-findings.ts'
import { types } from './commands/print-types.ts'
import { report } from './commands/report-job.ts'
import { schedule } from './commands/schedule.ts'
import { output, run } from './commands/scripts.ts'
import { searchCommands } from './commands/search-fleet.ts'
import { send } from './commands/send.ts'
import { mcp } from './commands/serve-assistants.ts'
import { timeline } from './commands/show-timeline.ts'
import { view } from './commands/show-view.ts'
import { start } from './commands/start-system.ts'
import { store } from './commands/store.ts'
import { undoCommands } from './commands/take-back.ts'
import { test } from './commands/test.ts'
import type { CliContext, CliProcess } from './context.ts'
import { createTerminal, widthOf } from './terminal/terminal.ts'
import { hintOf, refuseUnknown } from './unknown-command.ts'

// In the order of the help.
const subcommands = [
  ...computerCommands,
  doctor,
  ...powerCommands,
  start,
  ...searchCommands,
  ...inventoryCommands,
  ...recordCommands,
  ...[group, tag],
  ...historyCommands,
  timeline,
  ...serverLists,
  ...[exportComputers, ansibleInventory, output, run, script, send],
  ...[jobs, job, night, failures, restore, report],
  ...[events, audit],
  ...undoCommands,
  image,
  ...imageLists,
  ...[boot, live, agent],
  ...[schedule, nightly, importComputers],
  ...[serve, token, user, passwd],
  ...sessionCommands,
  hook,
  view,
  pack,
  mcp,
  ...[drain, store, newCommand, newHook, newPack, checkCommands, test, types, completion, manPage],
]

const usageExitCode = 2

/** `args` are the arguments after the program's name. Resolves with the exit code. */
export async function runFleet(args: string[], { environment, out, error, input }: CliProcess): Promise<number> {
  let api: ApiClient | undefined
  let exitCode = 0
  const program = createProgram({ environment, out, error })
  const context: CliContext = {
    ...createTerminal(out, error, input),
    environment,
    wordsAfterDashes: args.includes('--') ? args.slice(args.indexOf('--') + 1) : undefined,
    programOptions: () => program.opts(),
    connect() {
      api ??= createApiClient(findSettings(program.opts(), environment), text =>
        context.printError(`fleet: warning: ${text}`),
      )
      return api
    },
    fail() {
      exitCode = 1
    },
  }
  for (const add of subcommands) add(program, context)
  // With --help the parser would print the help of the program.
  program.on('beforeAllHelp', () => refuseUnknown(program))
  try {
    if (isVersionCall(args)) await printVersions(context)
    else await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(await withNearName(error, context.connect), context)
  } finally {
    api?.close()
  }
}

/** No option of the program, since `fleet send` needs that name for payloads with a key `version`. */
const isVersionCall = (args: string[]) => args.length === 1 && args[0] === '--version'

/** Of the daemon, too, where one responds soon. */
async function printVersions({ print, connect }: CliContext): Promise<void> {
  print(version)
  const signal = AbortSignal.timeout(versionMilliseconds)
  const daemon = await Promise.resolve()
    .then(() => connect().call('GET /me', undefined, signal))
    .catch(() => undefined)
  if (daemon?.body.version !== undefined) print(`daemon ${daemon.body.version}`)
}

const versionMilliseconds = 2000

function createProgram({ out, error }: CliProcess): Command {
  const program = new Command('fleet')
    .description('Administers a fleet of lab computers from a shell.')
    .version(version, '-V', 'print the version, as --version alone does')
    .option('--url <url>', "the daemon's address; default: FLEET_URL, or url in ~/.config/fleet/config.json")
    .option(
      '--ca <file>',
      'trusted certificates for https://; default: FLEET_CA, or ca in that file, else those of Node',
    )
    .option('--token <token>', 'the API token; default: FLEET_API_TOKEN, or token in that file')
    .exitOverride(error => {
      throw error.exitCode === 0 ? error : new CommanderError(usageExitCode, error.code, error.message)
    })
    .configureOutput({
      writeOut: text => out.write(text),
      writeErr: text => error.write(text),
      getOutHelpWidth: () => widthOf(out),
      getErrHelpWidth: () => widthOf(error),
      outputError: (text, write) => {
        const line = text.replace(/^error: /, 'fleet: ').replaceAll(/\n(?=.)/g, ' ')
        write(hintOf(program, line) ?? line)
      },
    })
    .showHelpAfterError(false)
  return program
}

/** Prints an expected error as one line, a bug with its stack. Returns the exit code. */
function reportError(error: unknown, { printError }: CliContext): number {
  // The parser has printed its message already.
  if (error instanceof CommanderError) return error.exitCode
  if (error instanceof DryRun) return 0
  if (error instanceof CliError) {
    printError(`fleet: ${error.message}`)
    return error.exitCode
  }
  printError(`fleet: ${error instanceof Error ? error.stack : message(error)}`)
  return 1
}
