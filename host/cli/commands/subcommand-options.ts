// Options that several subcommands have, and the values of some.
import { orThrow, usageError } from '../cli-error.ts'

export const configOption = {
  '--config <file>': 'the options file; default: the default value of every option',
} as const

/** The options of the file that --config names; an error in it is a usage error. */
export async function readOptions(config: string | undefined) {
  // Loaded here because it loads Ajv, which no other subcommand should wait for.
  const { loadOptions } = await import('../../config/options.ts')
  return orThrow(() => loadOptions(config).options, usageError)
}

export const waitOption = {
  '--wait': 'wait until the job has ended; exit code 0 only if every client succeeded',
} as const

export const yesOption = { '--yes': 'do not ask before something is deleted or ended' } as const

/** Those that `resolveAddresses` reads. */
export const scopeOptions = {
  '--client <ip or name...>': 'computers, also with commas between them, or several as pc[1-3]',
  '--room <name or id...>': 'all computers of rooms, also with commas between them; with --client: also these',
  '--center <name or id...>': 'all computers of a center; with --room: only its rooms are searched',
  '--where <query>': 'the computers that it finds, in place of the above; see fleet search',
  '--group <name or id>': 'the computers of a group, in place of the above',
  '--except <ip or name...>': 'computers that are left out of what is chosen',
} as const

export const noComputers = 'expected --client, --room, --center, --where or --group, got none of them'

const unitMilliseconds: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds of a time such as `90s`, in one of these units; undefined for another text. */
export function durationOf(text: string, units: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const milliseconds = units.includes(unit) ? unitMilliseconds[unit] : undefined
  return milliseconds && Number(count) * milliseconds
}
