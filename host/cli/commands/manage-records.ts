// `fleet room`, `center`, `computer`, `task`, `procedure`, `repository`: add, edit, delete and list records.
import type { Command } from 'commander'
import type { ApiClient } from '../api/client.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import { findId, isKind, readScopes, resolveAddress } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { plural } from '../terminal/text-table.ts'
import { changeAddress } from './change-address.ts'
import { editWords } from './changed-fields.ts'
import { type CommandParser, createCommandParser, readPayload } from './command-parser.ts'
import { confirm, describeEffects, undoHint } from './confirm.ts'
import { describeComputers, filledBy, onlyCenter, warnOfEquals } from './record-checks.ts'
import { type RecordVerbs, recordKinds } from './record-kinds.ts'
import { type Add, subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

type Payload = Record<string, unknown>

/** What follows the verb, and the end of the name of the command of the API. */
const verbs = {
  add: { argument: '<new name>', suffix: 'add', does: 'add' },
  edit: { argument: '<name or id>', suffix: 'update', does: 'change' },
  delete: { argument: '<name or id>', suffix: 'delete', does: 'delete' },
} as const

export type Verb = keyof typeof verbs

interface RecordVerb {
  kind: string
  verb: Verb
  record: RecordVerbs
}

/** That of the words `room add`. */
export function findRecordVerb([kind = '', verb = '']: readonly string[]): RecordVerb | undefined {
  const record = Object.hasOwn(recordKinds, kind) ? recordKinds[kind] : undefined
  return record && isVerb(verb) ? { kind, verb, record } : undefined
}

const isVerb = (text: string): text is Verb => Object.hasOwn(verbs, text)

const isComputer = (kind: string) => kind === 'computer'

function argumentOf({ kind, verb }: RecordVerb): string {
  if (!isComputer(kind) || verb === 'add') return verbs[verb].argument
  return verb === 'edit' ? '<computer>' : '[computer...]'
}

export async function createRecordParser(api: ApiClient, recordVerb: RecordVerb, program: Command) {
  // Loaded here because it loads Ajv, which no other subcommand should wait for.
  const { findCommand } = await import('../api/command-catalogue.ts')
  const { kind, verb, record } = recordVerb
  const info = await findCommand(api, `${record.prefix}-${verbs[verb].suffix}`)
  const ownKey = verb === 'add' ? 'name' : verb === 'edit' ? record.idKey : 'id'
  const canMove = isComputer(kind) && verb === 'edit'
  const parser = createCommandParser(info, program, {
    title: `${kind} ${verb}`,
    options: {
      ...(kind === 'task' && verb !== 'delete' && { '--procedure <name or id...>': 'what it does, in this order' }),
      ...(canMove && { '--ip <address>': 'its new address; queued commands end' }),
      ...((info.isDestructive || canMove) && yesOption),
      '--json': 'print its id in JSON',
    },
    argument: argumentOf(recordVerb),
    filled: filledBy(verb === 'add', info),
    without: [ownKey, ...(record.without ?? [])],
    nested: (record.nested ?? []).filter(key => key in (info.payload?.properties ?? {})),
  })
  return { info, parser }
}

const verbCommand =
  (kind: string, verb: Verb, record: RecordVerbs): Add =>
  (parent, context) => {
    const recordVerb = { kind, verb, record }
    const command = parent
      .command(verb)
      .description(`${verbs[verb].does} a ${kind}`)
      .argument(argumentOf(recordVerb))
      .usage(`${argumentOf(recordVerb)} [options]`)
      .allowExcessArguments()
      // The options depend on the API document, which is not known yet.
      .allowUnknownOption()
      .helpOption(false)
    command.action(async () => {
      const { info, parser } = await createRecordParser(context.connect(), recordVerb, programOf(parent))
      parser.command.parse(command.args, { from: 'user' })
      await change(context, recordVerb, info, parser)
    })
  }

const programOf = (command: Command): Command => (command.parent ? programOf(command.parent) : command)

async function change(
  context: CliContext,
  recordVerb: RecordVerb,
  info: CommandInfo,
  parser: CommandParser,
): Promise<void> {
  const { kind, verb, record } = recordVerb
  const api = context.connect()
  const words = parser.command.args
  const flags = parser.command.opts<{ yes?: boolean; json?: boolean; procedure?: string[]; ip?: string }>()
  const isDeletion = verb === 'delete'
  const payload = await readPayload(api, info, parser, {
    words: isComputer(kind) && isDeletion ? words : [],
    async fill(payload) {
      if (flags.procedure) payload.steps = await stepsOf(api, flags.procedure)
      if (verb === 'add') await completeNew(api, info, payload, words[0])
      else if (!isComputer(kind)) await completeStored(api, recordVerb, info, payload, words[0])
      else if (verb === 'edit') payload.ip = await resolveAddress(api, words[0] ?? '')
    },
  })
  if (flags.ip !== undefined && isComputer(kind) && verb === 'edit')
    return changeAddress(context, parser, { payload, json: flags.json, yes: flags.yes }, flags.ip)
  const subject = isDeletion
    ? await describeDeleted(api, recordVerb, payload)
    : await nameOf(api, recordVerb, payload, words[0])
  const { needsConsent } = info
  const describe = async () =>
    `Delete ${subject}${await describeEffects(api, kind, { id: payload.id, clients: payload.clients })}`
  if (info.isDestructive) await confirm(context, flags.yes, { where: `${kind} ${verb}`, needsConsent, describe })
  const { added, undo } = await api.call(info.route, payload)
  if (isComputer(kind)) await warnOfEquals(context, payload)
  const id = added ?? payload[isDeletion ? 'id' : record.idKey]
  const key = isComputer(kind) && verb !== 'add' ? 'clients' : 'id'
  if (flags.json)
    return context.printJson({ [key]: key === 'id' ? Number(id) : (payload.clients ?? [payload.ip]), undo })
  const what = isDeletion
    ? `deleted${undoHint(undo)}`
    : verb === 'edit'
      ? await editWords(api, parser, payload, { kind, undo, words: { procedure: flags.procedure } })
      : `added (id ${id})`
  context.print(`${capitalized(subject)} ${what}`)
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

async function stepsOf(api: ApiClient, names: string[]) {
  const ids = await Promise.all(names.map(name => findId(api, 'procedure', '--procedure', name)))
  return ids.map(procedure => ({ procedure }))
}

/** With the name that was typed, and the only center where none was named. */
async function completeNew(
  api: ApiClient,
  { payload: schema }: CommandInfo,
  payload: Payload,
  name: string | undefined,
) {
  payload.name = name
  if (!schema?.required?.includes('center') || 'center' in payload) return
  const only = await onlyCenter(api)
  payload.center = schema.properties?.center?.$ref === undefined ? only.id : String(only.id)
}

/** With the id of the record, and what an update requires of it. */
async function completeStored(
  api: ApiClient,
  { kind, verb, record }: RecordVerb,
  { payload: schema = {} }: CommandInfo,
  payload: Payload,
  text = '',
): Promise<void> {
  const id = isKind(kind) ? await findId(api, kind, kind, text) : Number(text)
  payload[verb === 'edit' ? record.idKey : 'id'] = String(id)
  if (verb !== 'edit') return
  const row = (await record.rows?.(api))?.find(each => each.id === id)
  const stored = new Map<string, unknown>(Object.entries(row ?? {}))
  for (const key of schema.required ?? [])
    if (!(key in payload) && stored.has(key)) payload[key] = String(stored.get(key))
  // The API replaces all of them.
  for (const key of record.nested ?? [])
    if (key in payload) payload[key] = { ...Object(stored.get(key)), ...Object(payload[key]) }
}

/** `room Studio`. */
async function nameOf(api: ApiClient, { kind, record }: RecordVerb, payload: Payload, text = ''): Promise<string> {
  const id = payload[record.idKey]
  const rows = /^\d+$/.test(text) && record.rows ? await record.rows(api) : []
  return `${kind} ${rows.find(row => String(row.id) === id)?.name ?? text}`
}

/** `room Studio with 1 computer`, `2 computers (lab-c[01-02])`. */
async function describeDeleted(api: ApiClient, recordVerb: RecordVerb, payload: Payload): Promise<string> {
  const { kind } = recordVerb
  const { centers, rooms, computers } = await readScopes(api)
  if (isComputer(kind)) return describeComputers([payload.clients ?? []].flat().map(String), computers)
  const id = Number(payload.id)
  const place = kind === 'center' ? centers.find(each => each.id === id) : rooms.find(each => each.id === id)
  if (kind === 'center' || kind === 'room')
    return place ? `${kind} ${place.name} with ${plural(place.computers.length, 'computer')}` : `${kind} ${id}`
  const name = (await recordVerb.record.rows?.(api))?.find(row => row.id === id)?.name
  return `${kind} ${name ?? id}`
}

// `as`: its keys are the verbs.
const verbNames = Object.keys(verbs) as Verb[]

export const recordCommands: Add[] = Object.entries(recordKinds).map(([kind, record]) =>
  subcommand({
    command: kind,
    description: `add, edit, delete and list ${record.plural}`,
    children: [...verbNames.map(verb => verbCommand(kind, verb, record)), record.list, ...(record.show ?? [])],
  }),
)
