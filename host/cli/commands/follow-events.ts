// `fleet events`: prints what happens, one line per event, until it is interrupted.
import type { Command } from 'commander'
import { type EventData, readEvents } from '../api/event-reader.ts'
import { findRecord, readRecords } from '../api/records.ts'
import { type ComputerRef, readComputers, resolveAddresses } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { interruptSignal } from '../terminal/interrupts.ts'
import { escapeInJson, onOneLine } from '../terminal/terminal.ts'
import { cutLine, formatLocalTime } from '../terminal/text-table.ts'

interface Flags {
  type?: string[]
  room?: string[]
  client?: string[]
  json?: true
}

export function addFollowEvents(program: Command, context: CliContext): void {
  program
    .command('events')
    .description('print events as they happen; Ctrl-C ends')
    .option('--type <type...>', 'events of these types, or of all that begin with one: job, client-gone')
    .option('--room <name or id...>', 'events that concern these rooms')
    .option('--client <ip or name...>', 'events that concern these computers')
    .option('--json', 'print one JSON object per line')
    .action((flags: Flags) => followEvents(context, flags))
}

async function followEvents(context: CliContext, flags: Flags): Promise<void> {
  const signal = interruptSignal()
  const api = context.connect()
  const events = readEvents(api, {
    query: await queryOf(context, flags),
    signal,
    onDisconnect: reason => context.printError(`fleet: ${reason}; connecting again`),
  })
  let computers = flags.json ? new Map<string, ComputerRef>() : await readComputers(api)
  for await (const event of events) {
    if (!flags.json && event.type.startsWith('computer-')) computers = await readComputers(api).catch(() => computers)
    printEvent(context, event, computers, flags.json)
  }
}

async function queryOf(
  { connect }: CliContext,
  { type = [], room = [], client = [] }: Flags,
): Promise<URLSearchParams> {
  const query = new URLSearchParams()
  if (type.length > 0) query.set('type', type.join(','))
  if (room.length > 0) {
    const rooms = await readRecords(connect(), 'room')
    query.set('room', room.map(text => findRecord('--room', text, rooms).id).join(','))
  }
  if (client.length > 0) query.set('client', (await resolveAddresses(connect(), { client })).join(','))
  return query
}

function printEvent(
  { print, width }: CliContext,
  event: EventData,
  computers: Map<string, ComputerRef>,
  json: true | undefined,
): void {
  if (json) return print(width() === undefined ? JSON.stringify(event) : escapeInJson(JSON.stringify(event)))
  print(cutLine(onOneLine(formatEvent(event, computers, width() === undefined)), width()))
}

/** Characters of the longest type, so that what follows stands in a column. */
const typeWidth = 'computer-changed'.length

/** `22:30:00  client-state      lab-r01-c01  BSY, oglive`; in a pipe with the day. */
function formatEvent(
  { id, time, type, clients = [], rooms, ...details }: EventData,
  computers: Map<string, ComputerRef>,
  withDay: boolean,
): string {
  const shownTime = withDay ? formatLocalTime(time) : formatLocalTime(time).slice('yyyy-mm-dd '.length)
  const names = foldNames(clients.map(client => computers.get(client)?.name ?? client))
  const texts = Object.entries(details).map(([key, value]) => formatDetail(key, value))
  return [shownTime, type.padEnd(typeWidth), names, texts.join(', ')].filter(Boolean).join('  ')
}

/**
 * Texts explain themselves, numbers and hardware addresses do not: `job 5`, `shell-run`; `12 success, 1 failure` for
 * counts.
 */
function formatDetail(key: string, value: unknown): string {
  if (typeof value === 'string' && !/^\d+$/.test(value) && !key.endsWith('mac')) return value
  if (!(value instanceof Object)) return `${key} ${value}`
  const counts = Object.entries(value).filter(([, count]) => count !== 0)
  return Array.isArray(value)
    ? `${key} ${value.join(' ')}`
    : counts.map(([name, count]) => `${count} ${name}`).join(', ')
}
