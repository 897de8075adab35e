// Options that several subcommands have.
import type { Command } from 'commander'

export function addConfigOption(command: Command): Command {
  return command.option('--config <file>', 'the options file; default: the default value of every option')
}

export function addWaitOption(command: Command): Command {
  return command.option('--wait', 'wait until the job has ended; exit code 0 only if every client succeeded')
}

/** The options that `resolveAddresses` reads. */
export function addScopeOptions(command: Command): Command {
  return command
    .option('--client <ip or name...>', 'computers')
    .option('--room <name or id...>', 'all computers of a room')
    .option('--center <name or id...>', 'all computers of a center; with --room: only its rooms are searched')
}
