// `fleet audit`: prints who has written what, and with --follow what is written from now on.
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import type { AuditAnswer, AuditPageAnswer } from '../../contract/answers.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { interruptSignal } from '../terminal/interrupts.ts'
import { escapeInJson, onOneLine } from '../terminal/terminal.ts'
import { cutLine, formatLocalTime, plural } from '../terminal/text-table.ts'
import { durationOf } from './shared-options.ts'

interface Flags {
  since: string
  who?: string
  route?: string
  follow?: true
  json?: true
}

/** Milliseconds between two questions for newer records. */
const pollMilliseconds = 1000

const pageRecords = '500'

export function addReadAudit(program: Command, context: CliContext): void {
  program
    .command('audit')
    .description('print who has written what; needs a token with the role admin')
    .option('--since <time>', 'from then on: 30m, 12h, 7d, 2026-09-14, "2026-09-14 08:00"', '1d')
    .option('--who <name>', 'only this caller: lab, "token lab", admin')
    .option('--route <route>', 'only this route, or paths that begin with it: /task, "POST /task/run"')
    .option('--follow', 'print also what is written from now on; Ctrl-C ends')
    .option('--json', 'print one JSON object per line')
    .action((flags: Flags) => printAudit(context, flags))
}

async function printAudit(context: CliContext, { since, who, route, follow, json }: Flags): Promise<void> {
  const query = new URLSearchParams({ since: parseSince(since), limit: pageRecords })
  if (who !== undefined) query.set('who', who)
  if (route !== undefined) query.set('route', route)
  const signal = follow && interruptSignal()
  const { call } = context.connect()
  let isDisconnected = false
  let printed = 0
  while (!signal?.aborted) {
    try {
      const { body } = await call<AuditPageAnswer>(`GET /audit?${query}`)
      isDisconnected = false
      for (const record of body.audit) printRecord(context, record, json)
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
    if (!signal) {
      if (printed === 0 && !json) context.print('no records')
      return
    }
    await wait(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}

/** The ISO time of `12h` ago, or of a local time. */
function parseSince(text: string): string {
  const milliseconds = durationOf(text, 'smhdw')
  const [, day, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? []
  const date = milliseconds === undefined ? new Date(`${day}T${time}`) : ago(milliseconds)
  if (Number.isNaN(date.getTime()))
    throw usageError(`--since: expected a time like 12h, 7d, 2026-09-14 or "2026-09-14 08:00", got ${text}`)
  return date.toISOString()
}

const ago = (milliseconds: number) => new Date(Math.max(0, Date.now() - milliseconds))

function printRecord({ print, width }: CliContext, record: AuditAnswer, json: true | undefined): void {
  const text = JSON.stringify(record)
  if (json) return print(width() === undefined ? text : escapeInJson(text))
  print(cutLine(onOneLine(formatRecord(record)), width()))
}

const columnWidths = { who: 12, address: '255.255.255.255'.length, route: 'POST /procedure/update'.length }

/** `2026-09-14 08:00:00  token lab     10.1.0.5         POST /poweroff          200  12 clients: 10.1.1.1, …  job 7`. */
function formatRecord({ time, who, address, route, status, clients, count, job, more }: AuditAnswer): string {
  const names = [...clients, ...(count > clients.length ? ['…'] : [])].join(', ')
  return [
    formatLocalTime(time),
    who.padEnd(columnWidths.who),
    address.padEnd(columnWidths.address),
    route.padEnd(columnWidths.route),
    status,
    ...(count > 0 ? [`${plural(count, 'client')}: ${names}`] : []),
    ...(job === undefined ? [] : [`job ${job}`]),
    ...(more === undefined ? [] : [`and ${more} more in this minute`]),
  ].join('  ')
}
