// The words that may follow a beginning of a `fleet` command line: names of the daemon's records, states, options.
import type { Command, Option } from 'commander'
import type { AnswerOf } from '../../contract/answers.ts'
import { placeAt, suggest } from '../../contract/complete-query.ts'
import { streamedTypes } from '../../contract/fleet-events.ts'
import type { ApiClient } from '../api/client.ts'
import { findCommand } from '../api/command-catalogue.ts'
import type { NamedRecord } from '../api/find-record.ts'
import { type Field, recordKindIn } from '../api/payload-options.ts'
import { isKind, type RecordKind, readRecords, readScopes } from '../api/records.ts'
import { listServed } from '../api/served-commands.ts'
import type { CliContext } from '../context.ts'
import { stateNames } from '../terminal/computer-states.ts'
import { onOneLine } from '../terminal/terminal.ts'
import { createRecordParser, findRecordVerb } from './manage-records.ts'
import { readScriptNames, readSettings } from './script-library.ts'
import { createSendParser } from './send.ts'

/** `typed` is the beginning of the word. */
type ReadWords = (api: ApiClient, typed: string) => Promise<string[]>

const namesOf =
  (kind: RecordKind): ReadWords =>
  async api =>
    (await readRecords(api, kind)).map(uniqueName)

/** As `findRecord` takes it: `Center/name`, or the id, for a name that several records have. */
function uniqueName({ id, name, center }: NamedRecord, _index: number, records: NamedRecord[]): string {
  if (records.filter(record => record.name === name).length === 1) return name
  return center === undefined ? String(id) : `${center}/${name}`
}

const valuesOf =
  <Route extends string>(route: Route, pick: (answer: AnswerOf<Route>) => string[]): ReadWords =>
  async ({ call }) =>
    pick((await call(route)).body)

const readComputerNames: ReadWords = async api => (await readScopes(api)).computers.map(({ name }) => name)
const readCommandNames: ReadWords = async api => (await listServed(api)).map(({ command }) => command)
const readJobIds = valuesOf('GET /jobs?limit=20', ({ jobs }) => jobs.map(({ id }) => String(id)))
const readPending = valuesOf('GET /pending', ({ pending }) => pending.map(({ client }) => client))
const readModes = valuesOf('GET /mode', ({ modes }) => modes)
const readLiveSystems = valuesOf('GET /oglive/list', ({ oglive }) => oglive.map(({ directory }) => directory))

/** Values of a field of queries that begin with what is typed. */
async function readFieldValues({ call }: ApiClient, field: string, typed: string): Promise<string[]> {
  const { body } = await call(`GET /search/values?${new URLSearchParams({ field, prefix: typed })}`)
  return body.values.filter(value => value.toLowerCase().startsWith(typed.toLowerCase()))
}

/** The beginning of a query with what may follow. A field comes with its values, or with an example of one. */
const completeQuery: ReadWords = async (api, typed) => {
  const { fields } = (await api.call('GET /search/fields')).body
  const suggestIn = async (text: string) => {
    const place = placeAt(text, text.length)
    const info = fields.find(({ name }) => name === place?.field)
    const values = info && place ? await readFieldValues(api, info.name, place.typed) : []
    return place ? suggest(text, place, { fields, values }) : []
  }
  const found = await suggestIn(typed)
  const [only] = found
  const texts = found.map(({ text }) => text.trimEnd())
  const info = fields.find(({ name, example }) => only?.word.startsWith(name) && example.startsWith(only.word))
  // A shell would take the only candidate for the whole query.
  if (!only || !info || found.length > 1) return texts
  const withValues = (await suggestIn(only.text)).map(({ text }) => text.trimEnd())
  return withValues.length > 0 ? withValues : [...texts, only.text + info.example.slice(only.word.length)]
}

/** Tags after `+` and `-`, else computers. */
const readTagChanges: ReadWords = async (api, typed) => {
  const sign = /^[+-]/.exec(typed)?.[0]
  if (sign === undefined) return readComputerNames(api, typed)
  return (await readFieldValues(api, 'tag', typed.slice(1))).map(tag => sign + tag)
}

/** By subcommand and option, where `--room <name or id>` does not say by itself what its values are. */
const valuesOfOptions: Record<string, ReadWords> = {
  'jobs --command': readCommandNames,
  'clients --state': async () => [...stateNames],
  'create --partition': (api, typed) => readFieldValues(api, 'os', typed),
  'events --type': async () => [...streamedTypes],
  'image-restore --name': namesOf('image'),
  'oglive-set --name': readLiveSystems,
  'schedule-command --command': readCommandNames,
}

/** By the key of a payload. */
const valuesOfKeys: Record<string, ReadWords> = {
  boot: readModes,
  livedir: readLiveSystems,
  mode: readModes,
  script: readScriptNames,
  where: completeQuery,
}

/** By the name of the argument; see `dynamicArguments`. */
const valuesOfArguments: Record<string, ReadWords> = {
  client: readPending,
  id: readJobIds,
  job: readJobIds,
  image: namesOf('image'),
  computer: readTagChanges,
  query: completeQuery,
  'script name': readScriptNames,
}

/** A `<name or id>` is of what the subcommand is below: `token delete`. */
function valuesOfArgument({ command, path: [kind = ''] }: Position): ReadWords | undefined {
  const name = command.registeredArguments[0]?.name() ?? ''
  if (kind === 'passwd') return namesOf('user')
  return name === 'name or id' && isKind(kind) ? namesOf(kind) : valuesOfArguments[name]
}

interface Position {
  /** The subcommand, or the parser of `send <command>`. */
  command: Command
  path: string[]
  /** The words after the subcommand. */
  rest: string[]
  fields: Field[]
}

/** Names are on one line each; none of the daemon when it does not respond. */
export async function listCandidates(
  program: Command,
  context: CliContext,
  words: string[],
  typed: string,
): Promise<string[]> {
  const candidates = await listFitting(program, context.connect(), words, typed)
  return candidates.filter(candidate => candidate !== '').map(onOneLine)
}

async function listFitting(program: Command, api: ApiClient, words: string[], typed: string): Promise<string[]> {
  const fitting = (list: string[]) => list.filter(word => word.startsWith(typed))
  const ask = async (read: ReadWords | undefined) => {
    const list = (await read?.(api, typed).catch(() => [])) ?? []
    const exact = fitting(list)
    // What replaces a query may differ from it in the case of letters, and have quotation marks. Together with others a
    // shell would delete what is typed down to what all have in common.
    return exact.length > 0 || read !== completeQuery ? exact : list
  }
  const start = findSubcommand(program, words)
  const isSend = start.path.join() === 'send'
  if (isSend && start.rest.length === 0) return ask(readCommandNames)
  const position = isSend ? await findSendCommand(program, api, start) : await findVerb(program, api, start)
  const { command, rest } = position
  const optionAt = (at: number) =>
    command.options.find(({ long, short }) => rest[at]?.startsWith('-') && [long, short].includes(rest[at]))
  const lastOption = rest.findLastIndex(word => word.startsWith('-'))
  const option = optionAt(lastOption)
  const values = rest.length - lastOption - 1
  const takesValue = option !== undefined && (option.required || option.optional)
  const ownValues =
    option && takesValue && (values === 0 || option.variadic) ? await ask(readerOf(position, option)) : []
  // Until an option has its value nothing else may follow.
  if (takesValue && values === 0) return ownValues
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')
  const isFirst = rest.every((word, at) => word.startsWith('-') || optionAt(at - 1)?.required)
  const takesMore = isFirst || command.registeredArguments[0]?.variadic === true
  const firstValues = takesMore ? await ask(valuesOfArgument(position)) : []
  const children = isFirst ? command.commands.map(child => child.name()) : []
  return [...ownValues, ...firstValues, ...fitting([...children, ...options])]
}

/** Skips the options of the program itself, each with its value. */
function findSubcommand(program: Command, words: string[]): Position {
  let command = program
  const path: string[] = []
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    const child = command.commands.find(each => [each.name(), ...each.aliases()].includes(word))
    if (command === program && program.options.some(({ long, required }) => long === word && required)) at += 2
    else if (child) {
      command = child
      path.push(word)
      at += 1
    } else break
  }
  return { command, path, rest: words.slice(at), fields: [] }
}

async function findSendCommand(program: Command, api: ApiClient, { path, rest }: Position): Promise<Position> {
  const [name = '', ...others] = rest
  const { command, fields, query } = createSendParser(await findCommand(api, name), program)
  return { command, path: [...path, name], rest: others, fields: [...fields, ...query] }
}

/** With the options that depend on the daemon, of `room add` and the like. */
async function findVerb(program: Command, api: ApiClient, start: Position): Promise<Position> {
  const verb = findRecordVerb(start.path)
  if (!verb) return start
  const { parser } = await createRecordParser(api, verb, program)
  const { command, fields, nested, query } = parser
  return { ...start, command, fields: [...fields, ...nested.flatMap(([, own]) => own), ...query] }
}

function readerOf({ path, rest, fields }: Position, option: Option): ReadWords {
  const { argChoices, flags, long } = option
  if (argChoices) return async () => argChoices
  const field = fields.find(each => each.option === option)
  const type = rest[rest.indexOf('--type') + 1]
  const kind = field ? recordKindIn(field, { type }) : kindOfOption(option)
  if (kind) return namesOf(kind)
  if (flags.includes('<ip or name')) return readComputerNames
  if (flags.includes('<query>')) return completeQuery
  if (long === '--set') return readSettings(rest[rest.indexOf('--script') + 1])
  if (flags === '--script <name>') return readScriptNames
  const own = valuesOfOptions[`${path.at(-1)} ${long}`] ?? valuesOfKeys[field?.key ?? '']
  return own ?? (async () => (field?.schema.examples ?? []).map(String))
}

/** `--rooms <name or id...>`, `--on-center <name or id...>` */
function kindOfOption({ flags }: Option): RecordKind | undefined {
  const [, name = ''] = /^--(?:on-)?([a-z]+?)s? <name or id/.exec(flags) ?? []
  return isKind(name) ? name : undefined
}
