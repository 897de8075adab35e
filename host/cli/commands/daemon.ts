// `fleet serve` starts the daemon.
import type { Command } from 'commander'
import { mainFile } from '../installation.ts'
import { addConfigOption } from './shared-options.ts'

interface Flags {
  config?: string
}

export function addDaemon(program: Command): void {
  addConfigOption(program.command('serve'))
    .description('start the daemon in this terminal; SIGTERM or Ctrl-C stops it')
    .action(({ config }: Flags) => serve(config))
}

/** Runs in this process, so that signals and the service manager reach the daemon itself. */
async function serve(config: string | undefined): Promise<void> {
  process.argv = [process.execPath, mainFile, ...(config === undefined ? [] : ['--config', config])]
  // `fleet` exits when its output is closed; the daemon has its own handling.
  process.stdout.removeAllListeners('error')
  await import(mainFile)
}
