// What the options of a command for records have changed, in words.
import type { ApiClient } from '../api/client.ts'
import { isKind, readRecords } from '../api/records.ts'
import type { CommandParser } from './command-parser.ts'
import { undoHint } from './confirm.ts'

type Payload = Readonly<Record<string, unknown>>
type Words = Readonly<Record<string, string[] | undefined>>

interface EditDetails {
  kind: string
  /** The id with which it can be taken back. */
  undo: number | undefined
  /** Of options that the command does not declare. */
  words: Words
}

/** After the name of a record. */
export const unchanged = 'stays as it is: nothing is to change'

/** What an edit has done, after the name of its record: all that changes can be taken back, apart from repositories. */
export async function editWords(
  api: ApiClient,
  parser: CommandParser,
  payload: Payload,
  { kind, undo, words }: EditDetails,
): Promise<string> {
  if (undo === undefined && kind !== 'repository') return unchanged
  return `changed${await changesOf(api, parser, payload, words)}${undoHint(undo)}`
}

/** `: gateway 10.1.1.254, room Studio`, or `: no tags`: what the options have said. */
async function changesOf(
  api: ApiClient,
  { fields, nested, command }: CommandParser,
  payload: Payload,
  words: Words,
): Promise<string> {
  const own = fields.filter(({ option }) => command.getOptionValue(option.attributeName()) !== undefined)
  const parts = nested.flatMap(([key]) => (key in payload ? Object.entries(Object(payload[key])) : []))
  const said = Object.entries(words).flatMap(([key, names]) => (names ? [[key, names.join(', ')] as const] : []))
  const entries = [...said, ...(await Promise.all(own.map(({ key }) => withName(api, key, payload[key])))), ...parts]
  const texts = entries.map(([key, value]) => {
    if (Array.isArray(value) && value.length === 0) return `no ${key}`
    return `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  // Nobody should believe that it ends by itself.
  const lasts = payload.maintenance === true ? '; tasks and schedules leave it out until --no-maintenance' : ''
  return texts.length === 0 ? '' : `: ${texts.join(', ')}${lasts}`
}

/** Of an id the name of its record. */
async function withName(api: ApiClient, key: string, value: unknown): Promise<[string, unknown]> {
  if (!isKind(key)) return [key, value]
  const record = (await readRecords(api, key)).find(({ id }) => String(id) === String(value))
  return [key, record?.name ?? value]
}
