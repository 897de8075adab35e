// Options that several subcommands have.
import { type Command, Option } from 'commander'
import { message } from '../../log/log.ts'
import type { ScopeFlags } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'

export function addConfigOption(command: Command): Command {
  return command.option('--config <file>', 'the options file; default: the default value of every option')
}

/** The options of the file that --config names; an error in it is a usage error. */
export async function readOptions(config: string | undefined) {
  // Loaded here because it loads Ajv, which no other subcommand should wait for.
  const { loadOptions } = await import('../../config/options.ts')
  try {
    return loadOptions(config).options
  } catch (error) {
    throw usageError(message(error))
  }
}

const unitMilliseconds: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds of a time such as `90s`, in one of these units; undefined for another text. */
export function durationOf(text: string, units: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const milliseconds = units.includes(unit) ? unitMilliseconds[unit] : undefined
  return milliseconds && Number(count) * milliseconds
}

export function addWaitOption(command: Command): Command {
  return command.option('--wait', 'wait until the job has ended; exit code 0 only if every client succeeded')
}

export function addYesOption(command: Command): Command {
  return command.option('--yes', 'do not ask before something is deleted or ended')
}

const scopeOptions = [
  { name: 'client', values: '<ip or name...>', description: 'computers' },
  { name: 'room', values: '<name or id...>', description: 'all computers of a room' },
  {
    name: 'center',
    values: '<name or id...>',
    description: 'all computers of a center; with --room: only its rooms are searched',
  },
]

/** The options that `resolveAddresses` reads. */
export function addScopeOptions(command: Command): Command {
  for (const { name, values, description } of scopeOptions) command.option(`--${name} ${values}`, description)
  return command
}

/** The same next to options of a payload: those in `taken`, which have another meaning there, are called `--on-room`. */
export function addLongScopeOptions(command: Command, taken: readonly string[]): void {
  for (const { name, values, description } of scopeOptions) {
    const long = new Option(`--on-${name} ${values}`, description)
    // Without a collision both names work, so that scripts may always use the long one.
    command.addOption(taken.includes(name) ? long : long.hideHelp())
    if (!taken.includes(name)) command.option(`--${name} ${values}`, description)
  }
}

export interface LongScopeFlags extends ScopeFlags {
  onClient?: string[]
  onRoom?: string[]
  onCenter?: string[]
}

/** The selection, without the options in `taken`. */
export function scopeFlagsOf(flags: LongScopeFlags, taken: readonly string[]): ScopeFlags {
  const { onClient = [], onRoom = [], onCenter = [] } = flags
  const short = (name: keyof ScopeFlags) => (taken.includes(name) ? [] : (flags[name] ?? []))
  return {
    client: [...short('client'), ...onClient],
    room: [...short('room'), ...onRoom],
    center: [...short('center'), ...onCenter],
  }
}

/** The names of the options that a payload may have keys for, too. */
export const scopeNames: readonly string[] = scopeOptions.map(({ name }) => name)
