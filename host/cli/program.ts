// Runs `fleet` once: its subcommands, and what becomes of their errors.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { message } from '../system/log.ts'
import { type ApiClient, createApiClient } from './api/client.ts'
import { findSettings } from './api/settings.ts'
import { addClients } from './commands/clients.ts'
import { addCompletion } from './commands/completion.ts'
import { addLocal } from './commands/daemon.ts'
import { addImport } from './commands/import.ts'
import { addJobs } from './commands/jobs.ts'
import { addReads } from './commands/read.ts'
import { addSchedule } from './commands/schedule.ts'
import { addSend } from './commands/send.ts'
import type { CliContext, Shell } from './context.ts'
import { CliError, type ExitCode } from './terminal/failure.ts'
import { createTerminal, widthOf } from './terminal/terminal.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** `words` are those after the program's name. Resolves with the exit code. */
export async function runFleet(words: string[], shell: Shell): Promise<0 | ExitCode> {
  let caller: ApiClient | undefined
  let exitCode: 0 | ExitCode = 0
  const program = createProgram(shell)
  const session: CliContext = {
    ...createTerminal(shell.out, shell.error),
    connect() {
      caller ??= createApiClient(findSettings(program.opts(), shell.environment))
      return caller
    },
    fail() {
      exitCode = 1
    },
  }
  const all = [addClients, addReads, addSend, addJobs, addSchedule, addImport, addLocal, addCompletion]
  for (const add of all) add(program, session)
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, session)
  } finally {
    caller?.close()
  }
}

function createProgram({ out, error }: Shell): Command {
  return (
    new Command('fleet')
      .description('Administers a fleet of lab computers from a shell.')
      // Without a long form: a command's payload may have a `version`.
      .version(version, '-V')
      .option('--url <url>', "the daemon's address; FLEET_URL, or url in ~/.config/fleet/config.json")
      .option('--token <token>', 'the API token; FLEET_API_TOKEN, or token in that file')
      .exitOverride()
      .configureOutput({
        writeOut: text => out.write(text),
        writeErr: text => error.write(text),
        getOutHelpWidth: () => widthOf(out),
        getErrHelpWidth: () => widthOf(error),
        outputError: (text, write) => write(text.replace(/^error: /, 'fleet: ').replaceAll(/\n(?=.)/g, ' ')),
      })
      .showHelpAfterError(false)
  )
}

/** What a person can mend is one line; anything else is a bug and keeps its stack. */
function reportError(error: unknown, { complain }: CliContext): 0 | ExitCode {
  // The parser has told it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CliError) {
    complain(`fleet: ${error.message}`)
    return error.exitCode
  }
  complain(`fleet: ${error instanceof Error ? error.stack : message(error)}`)
  return 1
}
