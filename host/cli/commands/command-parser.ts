// The options of one command of the API, which follow from its schemas, and the payload that they make.
import { Command, Option } from 'commander'
import type { ApiClient } from '../api/client.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import {
  addFields,
  addressKeys,
  type Field,
  type Filled,
  fieldsOf,
  optionName,
  payloadOf,
  resolveRecords,
} from '../api/payload-options.ts'
import { followedQuery, resolveAddresses, type ScopeFlags } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { addOptions, type Options } from './subcommand.ts'
import { noComputers, scopeOptions } from './subcommand-options.ts'

export interface CommandParser {
  /** What errors begin with. */
  where: string
  command: Command
  /** Of the payload. */
  fields: Field[]
  /** Of the query of a GET. */
  query: Field[]
  /** Of objects in the payload, by their keys. */
  nested: [key: string, fields: Field[]][]
  /** The options of the selection of clients that this payload has a key for: there they have the prefix `on-`. */
  taken: string[]
}

interface Shape {
  /** What is typed before the options: `send poweroff`. */
  title: string
  /** What errors begin with; default: the title. */
  where?: string
  /** Those that do not follow from its schemas. */
  options: Options
  argument?: string
  filled?: Filled
  /** Keys of the payload without an option. */
  without?: readonly string[]
  /** Keys with an object whose own keys get options. */
  nested?: readonly string[]
}

export function createCommandParser(info: CommandInfo, program: Command, shape: Shape): CommandParser {
  const { payload = {}, route } = info
  const { title, where = title, options, argument, filled, without = [], nested: nestedKeys = [] } = shape
  const command = new Command(`fleet ${title}`).description(info.summary).copyInheritedSettings(program)
  if (argument !== undefined) command.argument(argument)
  const ownOptions = Object.keys(options).map(flags => flags.replace(/ .*/, '').slice(2))
  const ofProgram = program.options.map(({ long }) => long?.slice(2) ?? '')
  const reserved = [...ownOptions, ...ofProgram, 'help', ...[...without, ...nestedKeys].map(optionName)]
  const fields = fieldsOf(payload, [...reserved, ...addressKeys], route, filled)
  // What such an object requires, it requires only when there is one.
  const nested = nestedKeys.map((key): [string, Field[]] => [
    key,
    fieldsOf(
      { ...payload.properties?.[key], required: [] },
      [...reserved, ...fields.map(field => optionName(field.key))],
      route,
    ),
  ])
  const inQuery = route.startsWith('GET ') ? info.query : {}
  const query = fieldsOf(inQuery, [...reserved, ...Object.keys(payload.properties ?? {}).map(optionName)], route)
  const keys = fields.map(({ key }) => `--${optionName(key)}`)
  const taken = keys.filter(key => Object.keys(scopeOptions).some(flags => flags.startsWith(`${key} `)))
  for (const [flags, description] of addressKeysOf(info).length > 0 ? Object.entries(scopeOptions) : []) {
    const isTaken = taken.some(key => flags.startsWith(`${key} `))
    if (isTaken && isQuery(flags)) continue
    // Without a collision both names work, so that scripts may always use the long one.
    if (!isQuery(flags)) command.addOption(new Option(flags.replace('--', '--on-'), description).hideHelp(!isTaken))
    if (!isTaken) command.option(flags, description)
  }
  for (const each of [fields, ...nested.map(([, own]) => own), query]) addFields(command, each)
  addOptions(command, options)
  return { where, command, fields, query, nested, taken }
}

/** Where a payload has such a key itself, it finds its computers each time. */
const isQuery = (flags: string) => /^--(where|group|except) /.test(flags)

/** The keys of its payload that have addresses. */
const addressKeysOf = ({ payload }: CommandInfo): string[] =>
  addressKeys.filter(key => key in (payload?.properties ?? {}))

type LongScopeFlags = ScopeFlags & Partial<Record<'onClient' | 'onRoom' | 'onCenter', string[]>>

/** The selection, without the options in `taken`; a query or group that the JSON names is taken out of the payload. */
export function scopeOf(flags: LongScopeFlags, { taken }: CommandParser, payload: Record<string, unknown>): ScopeFlags {
  const { onClient = [], onRoom = [], onCenter = [] } = flags
  const short = (name: 'client' | 'room' | 'center') => (taken.includes(`--${name}`) ? [] : (flags[name] ?? []))
  const query = (key: 'where' | 'group') => {
    if (taken.includes(`--${key}`)) return undefined
    const { [key]: inJson } = payload
    delete payload[key]
    return flags[key] ?? (inJson === undefined ? undefined : String(inJson))
  }
  return {
    client: [...short('client'), ...onClient],
    room: [...short('room'), ...onRoom],
    center: [...short('center'), ...onCenter],
    where: query('where'),
    group: query('group'),
    except: flags.except,
  }
}

/**
 * The addresses that are chosen. A payload that has computers or a query is stored, and finds its computers later: rooms
 * and centers become a query, so that it is for those that they have then.
 */
async function findComputers(
  api: ApiClient,
  { payload: schema }: CommandInfo,
  scope: ScopeFlags,
  payload: Record<string, unknown>,
): Promise<string[]> {
  const { client = [], room = [], center = [] } = scope
  const isStored = schema?.properties?.clients !== undefined && schema.properties.where !== undefined
  if (!isStored || room.length + center.length === 0) return resolveAddresses(api, scope)
  if (client.length > 0 || 'where' in payload || 'group' in payload)
    throw usageError('expected either rooms and centers, which are followed, or computers or a query, got both')
  payload.where = await followedQuery(api, scope)
  return []
}

/**
 * The payload of the parsed arguments. `fill` adds to it what follows from other things; `words` are computers that no
 * option names.
 */
export async function readPayload(
  api: ApiClient,
  info: CommandInfo,
  parser: CommandParser,
  { fill, words = [] }: { fill?(payload: Record<string, unknown>): Promise<void>; words?: readonly string[] } = {},
): Promise<Record<string, unknown>> {
  const { where, command, fields, nested } = parser
  const values = command.opts()
  // `--json` is a flag of other commands than `send`.
  const payload = payloadOf(fields, values, typeof values.json === 'string' ? values.json : undefined)
  await resolveRecords(api, fields, values, payload)
  for (const [key, own] of nested) {
    const part = payloadOf(own, values)
    if (Object.keys(part).length > 0) payload[key] = part
  }
  await fill?.(payload)
  const missing = fields.filter(({ key, required }) => required && !(key in payload)).map(({ option }) => option.long)
  if (missing.length > 0) throw usageError(`${where}: ${missing.join(', ')}: missing`)
  const keys = addressKeysOf(info)
  // A command without addresses may have --room and --center as keys of its payload.
  const scope = keys.length === 0 ? undefined : scopeOf(command.opts<LongScopeFlags>(), parser, payload)
  const client = [...words, ...(scope?.client ?? [])]
  const addresses = scope ? await findComputers(api, info, { ...scope, client }, payload) : []
  for (const key of keys) {
    if (addresses.length > 0) payload[key] = addresses
    else if (!(key in payload) && info.payload?.required?.includes(key)) throw usageError(`${where}: ${noComputers}`)
  }
  const problem = info.check(payload)
  if (problem !== undefined) throw usageError(`${where}: ${problem}`)
  return payload
}

/** The query of the parsed arguments. */
export async function readQuery(api: ApiClient, { command, query }: CommandParser): Promise<URLSearchParams> {
  const values = payloadOf(query, command.opts())
  await resolveRecords(api, query, command.opts(), values)
  return new URLSearchParams(Object.entries(values).map(([key, value]): [string, string] => [key, String(value)]))
}
