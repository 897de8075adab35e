// What the subcommands for tokens and users share: options, tables and passwords.
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { TokenEntry, UserEntry } from '../../contract/services.ts'
import type { ApiClient } from '../api/client.ts'
import { findId } from '../api/records.ts'
import { readScopes } from '../api/scopes.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type Column, formatLocalTime } from '../terminal/text-table.ts'

export interface PlaceFlags {
  room?: string[]
  center?: string[]
  allRooms?: true
}

export const addRoleOption = (command: Command, isRequired: boolean): Command =>
  command.addOption(
    new Option('--role <role>', 'what it may do').choices(['read', 'operate', 'admin']).makeOptionMandatory(isRequired),
  )

export const addPlaceOptions = (command: Command): Command =>
  command
    .option('--room <name or id...>', 'only the computers of these rooms')
    .option('--center <name or id...>', 'only the computers of these centers')

/** The keys `rooms` and `centers` of a payload. An update with one of the options replaces both. */
export async function placesOf(api: ApiClient, { room, center, allRooms }: PlaceFlags) {
  if (allRooms && (room || center))
    throw usageError('--all-rooms: expected no --room and no --center with it, got both')
  if (!room && !center && !allRooms) return {}
  const idsOf = (kind: 'room' | 'center', texts: string[] = []) =>
    Promise.all(texts.map(text => findId(api, kind, `--${kind}`, text)))
  return { rooms: await idsOf('room', room), centers: await idsOf('center', center) }
}

/** Describes the centers and rooms of an account with their names; ids of deleted ones stay. */
export async function createPlaceNames(
  api: ApiClient,
): Promise<(row: { rooms: number[]; centers: number[] }) => string> {
  const { rooms, centers } = await readScopes(api)
  const names = (ids: number[], entries: { id: number; name: string }[]) =>
    ids.map(id => entries.find(each => each.id === id)?.name ?? `${id}`)
  return row => [...names(row.centers, centers), ...names(row.rooms, rooms)].join(', ') || 'all'
}

export type AccountRow = UserEntry & Partial<Pick<TokenEntry, 'expires'>> & { places: string }

const timeOf = (seconds: number) => (seconds === 0 ? 'never' : formatLocalTime(new Date(seconds * 1000).toISOString()))

export const accountColumns: Column<AccountRow>[] = [
  { title: 'id', value: ({ id }) => id, alignRight: true },
  { title: 'name', value: ({ name }) => name },
  { title: 'role', value: ({ role }) => role },
  { title: 'rooms', value: ({ places }) => places },
  { title: 'state', value: stateOf, colour: row => (stateOf(row) === 'active' ? 'green' : 'red') },
  { title: 'used', value: ({ used }) => timeOf(used) },
  { title: 'by', value: ({ by }) => by },
]

export const tokenColumns: Column<AccountRow>[] = [
  ...accountColumns,
  { title: 'expires', value: ({ expires = 0 }) => timeOf(expires) },
]

function stateOf({ disabled, expires = 0 }: AccountRow): string {
  if (disabled) return 'disabled'
  return expires !== 0 && expires * 1000 <= Date.now() ? 'expired' : 'active'
}

/** What is typed on a terminal, without an echo, or else the first line of standard input. */
export async function readPassword({ askSecrets }: CliContext, questions: string[]): Promise<string> {
  if (!askSecrets) return firstLine()
  const answers = await askSecrets(questions)
  const [password, ...others] = answers ?? []
  if (password === undefined) throw new CliError('password: none was typed')
  if (others.some(other => other !== password)) throw new CliError('password: expected the same one twice, got two')
  return password
}

function firstLine(): string {
  const [line = ''] = readFileSync(0, 'utf8').split(/\r?\n/)
  if (line === '') throw usageError('password: expected one on standard input, got none')
  return line
}
