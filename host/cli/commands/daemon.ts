// `fleet serve` starts the daemon, `fleet token` prints the API token of a daemon on this machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { message } from '../../system/log.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { mainFile } from '../installation.ts'
import { addConfigOption, readOptions } from './shared-options.ts'

interface Flags {
  config?: string
}

export function addDaemon(program: Command, { print }: CliContext): void {
  addConfigOption(program.command('serve'))
    .description('start the daemon in this terminal; SIGTERM or Ctrl-C stops it')
    .action(({ config }: Flags) => serve(config))
  addConfigOption(program.command('token'))
    .description('print the API token of a daemon whose data folder is on this machine')
    .action(async ({ config }: Flags) => print(await readToken(config)))
}

/** Runs in this process, so that signals and the service manager reach the daemon itself. */
async function serve(config: string | undefined): Promise<void> {
  process.argv = [process.execPath, mainFile, ...(config === undefined ? [] : ['--config', config])]
  // `fleet` exits when its output is closed; the daemon has its own handling.
  process.stdout.removeAllListeners('error')
  await import(mainFile)
}

/** From the options or the data folder; never creates a token. */
async function readToken(config: string | undefined): Promise<string> {
  const { rest, store } = await readOptions(config)
  if (rest.api_token) return rest.api_token
  try {
    return readFileSync(join(store.path, 'api_token'), 'utf8').trim()
  } catch (error) {
    throw new CliError(`token: ${message(error)}; the daemon creates the file at its first start`)
  }
}
