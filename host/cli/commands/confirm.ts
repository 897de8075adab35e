// Asks before something is deleted, ended or overwritten, and shows what that concerns.
import type { ContentGroup, PreviewAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import type { ComputerRef } from '../api/computer-names.ts'
import { addressKeys, type Field, recordKindIn } from '../api/payload-options.ts'
import { findId, type RecordKind, readAllComputers, readRecords } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { cutLine, plural } from '../terminal/text-table.ts'
import { type Add, subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

/**
 * Returns when it may be sent. Without a terminal only what needs consent requires `yes`: scripts keep working. `where`
 * names the command in errors, `describe` returns one line: what happens to what.
 */
export async function confirm(
  { ask }: CliContext,
  yes: boolean | undefined,
  { where, needsConsent, describe }: { where: string; needsConsent: boolean; describe(): Promise<string> },
): Promise<void> {
  if (yes || (!ask && !needsConsent)) return
  const effect = onOneLine(await describe())
  if (!ask) throw usageError(`${where}: expected --yes, as there is no terminal to ask on: ${effect}`)
  if (!(await ask(`${effect}\nContinue?`))) throw new CliError(`${where}: not sent`)
}

/** `Power clients off: 12 clients of Room 1 (lab-r01-c[01-12])`. */
export async function describeEffect(
  api: ApiClient,
  { summary, payload: schema, forward }: CommandInfo,
  fields: Field[],
  payload: Record<string, unknown>,
): Promise<string> {
  const subjects: string[] = []
  const addresses = addressKeys.filter(key => schema?.properties?.[key]).flatMap(key => payload[key] ?? [])
  const computers = await readAllComputers(api)
  const noun = forward === undefined ? 'computer' : 'client'
  if (addresses.length > 0) subjects.push(describeComputers(addresses.map(String), noun, computers))
  for (const field of fields) {
    const kind = recordKindIn(field, payload)
    const ids = kind ? [payload[field.key] ?? []].flat() : []
    for (const id of ids) if (kind) subjects.push(await describeRecord(api, kind, Number(id), computers))
  }
  const users = forward === undefined ? '' : await describeUse(api, addresses.map(String), computers)
  return subjects.length === 0 ? summary : `${summary}: ${subjects.join(', ')}${users}`
}

/** `; 3 in use: anna on lab-c02, ben on lab-c07, somebody on lab-c09 (locked)`; '' where nobody is logged in. */
export async function describeUse({ call }: ApiClient, addresses: string[], computers: Computers): Promise<string> {
  const { body } = await call('GET /sessions')
  const used = body.sessions.filter(({ client }) => addresses.includes(client))
  const users = used.map(({ client, user = 'somebody', locked }) => {
    return `${user} on ${computers?.get(client)?.name ?? client}${locked ? ' (locked)' : ''}`
  })
  return used.length === 0 ? '' : `; ${used.length} in use: ${cutLine(users.join(', '), namesCharacters)}`
}

/** A question should not fill the screen. */
const namesCharacters = 200
/** More are counted. */
const mostRooms = 5

type Computers = Map<string, ComputerRef> | undefined

export function describeComputers(addresses: string[], noun: string, computers: Computers): string {
  const records = addresses.flatMap(address => computers?.get(address) ?? [])
  const rooms = new Map(records.map(({ room, center }) => [JSON.stringify([center, room]), room]))
  const names = foldNames(addresses.map(address => computers?.get(address)?.name ?? address))
  const inRooms = rooms.size > mostRooms ? plural(rooms.size, 'room') : [...rooms.values()].join(', ')
  return `${plural(new Set(addresses).size, noun)}${inRooms && ` of ${inRooms}`} (${cutLine(names, namesCharacters)})`
}

/** `Evening (task 3)`, `24 computers of Room 1 (Arts)`. */
export async function describeRecord(
  api: ApiClient,
  kind: RecordKind,
  id: number,
  computers?: Computers,
): Promise<string> {
  const records = await readRecords(api, kind).catch(() => [])
  const record = records.find(each => each.id === id)
  if (!record) return `${kind} ${id}`
  if (kind !== 'room' && kind !== 'center') return `${record.name} (${kind} ${id})`
  const inside = [...(computers?.values() ?? [])].filter(({ room, center }) =>
    kind === 'center' ? center === record.name : room === record.name && center === record.center,
  )
  return `${plural(inside.length, 'computer')} of ${record.name}${kind === 'room' ? ` (${record.center})` : ''}`
}

/** `; take it back with: fleet undo 12`; '' without an id of the response. */
export const undoHint = (id: number | undefined): string =>
  id === undefined ? '' : `; take it back with: fleet undo ${id}`

const withEffects = ['center', 'room', 'computer', 'image', 'address'] as const

/** `; runs on no computer then: schedule Updates (schedule 3)`: what the deletion, or another address, does to other records; '' when it does nothing. */
export async function describeEffects({ call }: ApiClient, kind: string, deletion: object): Promise<string> {
  if (!withEffects.some(each => each === kind)) return ''
  const { effects } = (await call('GET /deletion', { ...deletion, kind })).body
  return effects.map(text => `; ${text}`).join('')
}

interface DeletionDetails {
  /** The question and what is printed are about the id. */
  describe?: typeof describeRecord
  /** Of the payload, which has the id. */
  key?: string
  /** Resolves to a line about what goes with it, or stays. */
  describeRest?(api: ApiClient, id: number): Promise<string>
}

/** `delete <name or id>`. */
export const deletion = (kind: RecordKind, { describe, key = 'id', describeRest }: DeletionDetails = {}): Add =>
  subcommand({
    command: 'delete <name or id>',
    description: `delete ${withArticle(kind)}`,
    options: yesOption,
    async run(context, { yes }, text) {
      const api = context.connect()
      const id = await findId(api, kind, kind, text)
      // With any, scripts need --yes.
      const effects = yes ? '' : await describeEffects(api, kind, { id })
      const describeAll = async () =>
        `Delete ${withArticle(kind)}: ${describe ? await describe(api, kind, id) : text}${effects}`
      await confirm(context, yes, { where: `${kind} delete`, needsConsent: effects !== '', describe: describeAll })
      const rest = await describeRest?.(api, id)
      const { undo } = await api.call(`POST /${kind}/delete`, { [key]: String(id) })
      context.print(`${kind} ${describe ? id : text} is deleted${undoHint(undo)}`)
      if (rest) context.print(rest)
    },
  })

const withArticle = (kind: RecordKind) => (kind === 'image' ? `an ${kind}` : `a ${kind}`)

/** A client in the response to `?dry_run=1`. */
type PreviewedClient = Partial<ContentGroup> & { client: string; refused?: string }

/** A site's command may preview something else. */
const showsOther = ({ client, refused, another_system, ...shown }: PreviewedClient) =>
  another_system === undefined && Object.keys(shown).length > 0

/** `Windows 10 · disk 1 partition 2 · 24 computers`, one line for each content. */
export function formatContent(
  groups: readonly ContentGroup[],
  { disk, partition }: Pick<PreviewAnswer, 'disk' | 'partition'>,
): string {
  const lines = groups.map(group => {
    const line = `${nameOf(group)} · disk ${disk} partition ${partition} · ${plural(group.computers, 'computer')}`
    return group.another_system ? paint('red', `! ${line}: ANOTHER SYSTEM, which is lost`) : `  ${line}`
  })
  return ['there now:', ...lines].join('\n')
}

function nameOf({ system, filesystem }: ContentGroup): string {
  if (system !== '') return system
  return filesystem === '' || filesystem === 'EMPTY' ? 'no known system' : `no known system (${filesystem})`
}

/** `, and lose Windows 10 (24 computers)`; '' when no other system is lost. */
export function describeLoss(groups: readonly ContentGroup[]): string {
  const lost = groups.filter(({ another_system }) => another_system)
  const names = lost.map(({ system, computers }) => `${system} (${plural(computers, 'computer')})`)
  return names.length === 0 ? '' : `, which LOSES ANOTHER SYSTEM: ${names.join(', ')}`
}

/** Of a command that says in its preview what clients have; resolves to the words for the question. */
export async function printContent(
  { connect, print }: CliContext,
  { route, previews }: CommandInfo,
  payload: Record<string, unknown>,
): Promise<string> {
  if (!previews) return ''
  const { body } = await connect().call(`${route}?dry_run=1`, payload)
  const { clients } = body as { clients: PreviewedClient[] } // What every preview has, whatever the route.
  if (clients.some(showsOther)) return ''
  const groups = new Map<string, ContentGroup>()
  for (const { system = '', filesystem = '', another_system = false } of clients) {
    const key = JSON.stringify([system, filesystem, another_system])
    const group = groups.get(key) ?? { system, filesystem, another_system, computers: 0 }
    groups.set(key, { ...group, computers: group.computers + 1 })
  }
  const content = [...groups.values()].sort((a, b) => Number(b.another_system) - Number(a.another_system))
  print(formatContent(content, { disk: String(payload.disk), partition: String(payload.partition) }))
  const loss = describeLoss(content)
  return loss === '' || payload.overwrite === true ? loss : '; computers with another system are skipped (--overwrite)'
}
