// `fleet events` prints what happens, `fleet audit` who has written what: one line each, also from now on.
import { setTimeout as wait } from 'node:timers/promises'
import type { AuditAnswer } from '../../contract/answers.ts'
import type { ComputerRef } from '../api/computer-names.ts'
import { type EventData, readEvents } from '../api/event-reader.ts'
import { findRecord } from '../api/find-record.ts'
import { readComputers, readRecords, resolveAddresses } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type ComputerState, describeState } from '../terminal/computer-states.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { interruptSignal } from '../terminal/live-view.ts'
import { escapeInJson, onOneLine } from '../terminal/terminal.ts'
import { cutLine, formatLocalTime, plural } from '../terminal/text-table.ts'
import { subcommand } from './subcommand.ts'
import { durationOf } from './subcommand-options.ts'

const jsonOption = { '--json': 'print one JSON object per line' } as const

/** Without `json` as the text. */
function printRecord(
  { print, width }: CliContext,
  record: object,
  json: boolean | undefined,
  format: () => string,
): void {
  const text = json ? JSON.stringify(record) : cutLine(onOneLine(format()), width())
  print(json && width() !== undefined ? escapeInJson(text) : text)
}

export const events = subcommand({
  command: 'events',
  description: 'print events as they happen; Ctrl-C ends',
  options: {
    '--type <type...>': 'events of these types, or of all that begin with one: job, client-gone',
    '--room <name or id...>': 'events that concern these rooms',
    '--client <ip or name...>': 'events that concern these computers',
    ...jsonOption,
  },
  async run(context, { type, room, client, json }) {
    const signal = interruptSignal()
    const api = context.connect()
    const query = new URLSearchParams()
    if (type) query.set('type', type.join(','))
    if (room) {
      const rooms = await readRecords(api, 'room')
      query.set('room', room.map(text => findRecord('--room', text, rooms).id).join(','))
    }
    if (client) query.set('client', (await resolveAddresses(api, { client })).join(','))
    const onDisconnect = (reason: string) => context.printError(`fleet: ${reason}; connecting again`)
    let computers = json ? new Map<string, ComputerRef>() : await readComputers(api)
    for await (const event of readEvents(api, query, { signal, onDisconnect })) {
      if (!json && event.type.startsWith('computer-')) computers = await readComputers(api).catch(() => computers)
      printRecord(context, event, json, () => formatEvent(event, computers, context.width() === undefined))
    }
  },
})

/** Characters of the longest type, so that what follows stands in a column. */
const typeWidth = 'computer-changed'.length

/** `22:30:00  client-state      lab-r01-c01  on, Linux`; in a pipe with the day. */
function formatEvent(
  { id, time, type, clients = [], rooms, ...details }: EventData,
  computers: Map<string, ComputerRef>,
  withDay: boolean,
): string {
  const shownTime = withDay ? formatLocalTime(time) : formatLocalTime(time).slice('yyyy-mm-dd '.length)
  const names = foldNames(clients.map(client => computers.get(client)?.name ?? client))
  const { state, status, ...others } = details
  // `as`: the events of clients have those of `GET /clients`.
  const words = type === 'client-state' ? [describeState({ state, status } as ComputerState)] : []
  const rest = type === 'client-state' ? others : details
  const texts = [...words, ...Object.entries(rest).map(([key, value]) => formatDetail(key, value))]
  return [shownTime, type.padEnd(typeWidth), names, texts.join(', ')].filter(Boolean).join('  ')
}

/**
 * Texts explain themselves, numbers and hardware addresses do not: `job 5`, `shell-run`; `12 success, 1 failure` for
 * counts.
 */
function formatDetail(key: string, value: unknown): string {
  if (typeof value === 'string' && !/^\d+$/.test(value) && !key.endsWith('mac')) return value
  if (!(value instanceof Object)) return `${key} ${value}`
  if (Array.isArray(value)) return `${key} ${value.join(' ')}`
  const counts = Object.entries(value).filter(([, count]) => count !== 0)
  return counts.map(([name, count]) => `${count} ${name}`).join(', ')
}

/** Milliseconds between two questions for newer records. */
const pollMilliseconds = 1000

const pageRecords = '500'

export const audit = subcommand({
  command: 'audit',
  description: 'print who has written what; needs a token with the role admin',
  options: {
    '--since <time>': { text: 'from then on: 30m, 12h, 7d, 2026-09-14, "2026-09-14 08:00"', default: '1d' },
    '--who <name>': 'only this caller: lab, "token lab", admin',
    '--route <route>': 'only this route, or paths that begin with it: /task, "POST /task/run"',
    '--follow': 'print also what is written from now on; Ctrl-C ends',
    ...jsonOption,
  },
  async run(context, { since, who, route, follow, json }) {
    const query = new URLSearchParams({ since: parseSince(since), limit: pageRecords })
    if (who !== undefined) query.set('who', who)
    if (route !== undefined) query.set('route', route)
    const signal = follow ? interruptSignal() : undefined
    const { call } = context.connect()
    let isDisconnected = false
    let printed = 0
    while (!signal?.aborted) {
      try {
        const { body } = await call(`GET /audit?${query}`)
        isDisconnected = false
        for (const record of body.audit) printRecord(context, record, json, () => formatRecord(record))
        printed += body.audit.length
        const isEnd = query.get('after') === body.next
        query.set('after', body.next)
        if (!isEnd) continue
      } catch (error) {
        // Only a restart of the daemon is waited for.
        if (!query.has('after') || !follow || !(error instanceof CliError) || error.status !== undefined) throw error
        if (!isDisconnected) context.printError(`fleet: ${error.message}; connecting again`)
        isDisconnected = true
      }
      if (!signal) break
      await wait(pollMilliseconds, undefined, { signal }).catch(() => {})
    }
    if (!signal && printed === 0 && !json) context.print('no records')
  },
})

/** The ISO time of `12h` ago, or of a local time. */
function parseSince(text: string): string {
  const milliseconds = durationOf(text, 'smhdw')
  const [, day, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? []
  const date = new Date(milliseconds === undefined ? `${day}T${time}` : Math.max(0, Date.now() - milliseconds))
  if (Number.isNaN(date.getTime()))
    throw usageError(`--since: expected a time like 12h, 7d, 2026-09-14 or "2026-09-14 08:00", got ${text}`)
  return date.toISOString()
}

const columnWidths = { who: 12, address: '255.255.255.255'.length, route: 'POST /procedure/update'.length }

/** `2026-09-14 08:00:00  token lab     10.1.0.5         POST /poweroff          200  12 clients: 10.1.1.1, …  job 7`. */
function formatRecord(record: AuditAnswer): string {
  const { time, who, address, route, status, clients, count } = record
  const { name, job, undo, undoes, tried = {}, reason, more } = record
  const names = [...clients, ...(count > clients.length ? ['…'] : [])].join(', ')
  return [
    formatLocalTime(time),
    who.padEnd(columnWidths.who),
    address.padEnd(columnWidths.address),
    route.padEnd(columnWidths.route),
    status,
    ...(count > 0 ? [`${plural(count, 'client')}: ${names}`] : []),
    ...(name === undefined ? [] : [name]),
    ...Object.entries(tried).map(([key, value]) => `${key} ${value}`),
    ...(job === undefined ? [] : [`job ${job}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(undo === undefined ? [] : [`undo ${undo}`]),
    ...(undoes === undefined ? [] : [`takes back ${undoes}`]),
    ...(more === undefined ? [] : [`and ${more} more in this minute`]),
  ].join('  ')
}
