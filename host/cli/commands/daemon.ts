// The subcommands that need no daemon: starting one, its token, its store, and command files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { message } from '../../system/log.ts'
import type { CliContext } from '../context.ts'
import { CliError, usageError } from '../terminal/failure.ts'

// What each of them needs is loaded with it: the other subcommands shall not wait for that.

type Config = { config?: string }

export function addLocal(program: Command, { print, complain, fail }: CliContext): void {
  const config = ['--config <file>', 'the options file; without one every default applies'] as const
  program
    .command('serve')
    .description('start the daemon in this terminal; SIGTERM or Ctrl-C ends it')
    .option(...config)
    .action(({ config: file }: Config) => serve(file))
  program
    .command('token')
    .description('print the token of a daemon whose data folder is on this machine')
    .option(...config)
    .action(({ config: file }: Config) => tokenOf(file).then(print))
  words(program, 'store [what]', 'look after the store: backup, restore, check, repair, copy')
    .helpOption(false)
    .action(async (what: string | undefined, _flags, { args }: Command) => {
      const { lookAfterStore, storeUsage } = await import('./store.ts')
      if (what === undefined) throw usageError(`store: what to do is missing\n\n${storeUsage}`)
      if (args.some(word => word === '-h' || word === '--help')) print(storeUsage)
      else if ((await lookAfterStore(args, print, complain)) !== 0) fail()
    })
  words(program, 'new-command [name]', 'write a command file to start from')
    .usage('<name> [--folder DIR]')
    .action(async (_name, _flags, { args }: Command) => {
      const { newCommand } = await import('./new-command.ts')
      if (newCommand(args, print) !== 0) fail()
    })
  words(program, 'check-commands [files...]', 'load and check command files as a daemon would')
    .usage('<file or folder>...')
    .action(async (_file, _flags, { args }: Command) => {
      const [{ checkCommands }, { stop }] = await Promise.all([import('./check-commands.ts'), import('esbuild')])
      const failures = await checkCommands(args, print)
      await stop()
      if (failures > 0) fail()
    })
}

/** What follows it is read by the one who does the work. */
const words = (program: Command, name: string, description: string) =>
  program.command(name).description(description).allowUnknownOption().allowExcessArguments()

/** In this process, so that signals and the service manager meet the daemon itself. */
async function serve(file: string | undefined): Promise<void> {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
  process.argv = [process.execPath, main, ...(file === undefined ? [] : ['--config', file])]
  // The daemon survives a log that nobody reads, in its own way.
  process.stdout.removeAllListeners('error')
  await import(main)
}

/** What that daemon was given or has made; never makes one. */
async function tokenOf(file: string | undefined): Promise<string> {
  const { rest, store } = await optionsIn(file)
  if (rest.api_token) return rest.api_token
  try {
    return readFileSync(join(store.path, 'api_token'), 'utf8').trim()
  } catch (error) {
    throw new CliError(`token: cannot be read: ${message(error)}; the daemon makes it at its first start`)
  }
}

async function optionsIn(file: string | undefined) {
  const { loadOptions } = await import('../../config/options.ts')
  try {
    return loadOptions(file).options
  } catch (error) {
    throw usageError(message(error))
  }
}
