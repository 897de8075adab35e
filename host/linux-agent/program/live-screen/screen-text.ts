// What the console of a computer in a live system shows: who it is, what it waits for, and how far its command is.
import type { AgentState, ProgressReport } from '../../../agent-program/agent-state.ts'
import type { DaemonRequest } from '../../../agent-program/messages.ts'
import { agentName } from '../../../agent-program/program-file.ts'
import { textOf } from '../images/copy-request.ts'

export interface ScreenState extends AgentState {
  /** Of the computer; '' when it had no record at its start. */
  name: string
  /** Its own, with their hardware addresses. */
  addresses: readonly string[]
}

/** Columns: the smallest console has 80, and 25 rows. */
const width = 76
const indent = '  '
const labelWidth = 10
/** What fits next to a label: whole words, or a part of a word that is longer. */
const rowPattern = /\S{66}|\S.{0,65}(?!\S)/gu
/** Rows of a long text. */
const mostRows = 4

/** Ends with the last row's newline. */
export function screenText(state: ScreenState): string {
  const { name, addresses, server, work, last } = state
  const rows = [
    `${(name || 'computer without a record').padEnd(width - agentName.length)}${agentName}`,
    '-'.repeat(width),
    ...labelled('Address', addresses.join(', ') || 'none yet'),
    ...labelled('Server', server),
    ...labelled('State', work ? `runs ${describe(work.request)}` : waitingFor(state)),
    '',
    ...(work?.progress ? [...progressRows(work.progress), ''] : []),
    ...(last ? labelled('Before', `${describe(last.request)}: ${last.reason || 'success'}`) : []),
  ]
  return `\n${rows.map(row => `${indent}${row}`.trimEnd()).join('\n')}\n`
}

function waitingFor({ problem, name }: ScreenState): string {
  if (problem !== '') return `waits for the server: ${problem}`
  return name === '' ? 'connected, waits to be adopted, and for commands' : 'connected, waits for commands'
}

/** `image/restore debian, disk 1, partition 2` */
function describe({ route, body }: DaemonRequest): string {
  const [name, disk, partition] = ['name', 'disk', 'partition'].map(key => textOf(body, key))
  const parts = [disk && `disk ${disk}`, partition && `partition ${partition}`]
  return [[route.replace(/^\w+ \//, ''), name].filter(Boolean).join(' '), ...parts.filter(Boolean)].join(', ')
}

/** The label, and the text next to it in as many rows as it needs. */
function labelled(label: string, text: string): string[] {
  const rows = printable(text).match(rowPattern) ?? []
  return rows.slice(0, mostRows).map((row, index) => `${(index === 0 ? label : '').padEnd(labelWidth)}${row}`)
}

/** Consoles obey control characters, which a reason may have from a program. */
const printable = (text: string): string => text.replace(/[^\x21-\x7e\u00a1-\u{10ffff}]+/gu, ' ').trim()

function progressRows({ percent, bytes, size, rate, remaining }: ProgressReport): string[] {
  const barWidth = width - 8
  const filled = Math.floor((Math.min(100, Math.max(0, percent)) / 100) * barWidth)
  const amount = size === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(size)}`
  return [
    `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${String(Math.floor(percent)).padStart(3)} %`,
    [amount, `${formatBytes(rate)}/s`, ...(remaining === undefined ? [] : [`${formatTime(remaining)} left`])].join(
      '   ',
    ),
  ]
}

/** In decimal units, as disks are measured: `1.2 GB`. */
function formatBytes(bytes: number): string {
  const isLarge = bytes >= 1e9
  return `${(bytes / (isLarge ? 1e9 : 1e6)).toFixed(1)} ${isLarge ? 'GB' : 'MB'}`
}

/** `1:30`, `2:05:00` */
function formatTime(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const pad = (value: number) => String(value).padStart(2, '0')
  const end = `${pad(seconds % 60)}`
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`
}
