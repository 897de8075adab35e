// `fleet import`: adds the computers of a file, and with --update changes existing ones after a preview; `fleet export`.
import { readFileSync } from 'node:fs'
import type { ImportAnswer, ImportRow } from '../../contract/answers.ts'
import type { ImportRequest } from '../../contract/services.ts'
import { findRecord } from '../api/find-record.ts'
import { readRecords } from '../api/records.ts'
import { orThrow, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { foldRanges } from '../terminal/folded-names.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, cutLine, formatTable, plural } from '../terminal/text-table.ts'
import { confirm, undoHint } from './confirm.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'

export const exportComputers = subcommand({
  command: 'export',
  description: 'print all computers as CSV',
  async run({ connect, printUntrusted }) {
    printUntrusted((await connect().call('GET /client/export')).body ?? '')
  },
})

const options = {
  '--format <format>': { text: 'default: from the file name', choices: ['csv', 'dhcpd'] },
  '--room <name or id>': 'the room of computers whose row names none',
  '--update': 'also change existing computers, found by hardware address or else by address',
  '--dry-run': 'only show what would happen',
  '--yes': 'with --update: do not ask',
  '--json': 'print JSON',
} as const

type Flags = FlagsOf<typeof options>

/** `undo`: the id with which the import can be taken back. */
type Report = ImportAnswer & { undo: number | undefined }

export const importComputers = subcommand({
  command: 'import <file>',
  argument:
    '- reads standard input; the first line of a CSV file names its columns: name,ip,mac,room and others of docs/api.md',
  description: 'add the computers of a CSV file or a dhcpd.conf: all of them, or none',
  options,
  async run(context, flags, file) {
    const { format = formatOf(file), update = false } = flags
    const request: ImportRequest = { format, text: readFile(file), update }
    if (flags.room !== undefined)
      request.room = findRecord('--room', flags.room, await readRecords(context.connect(), 'room')).id
    await runImport(context, request, flags)
  },
})

/** An update is shown first, and stored when somebody agrees or --yes is set. */
async function runImport(context: CliContext, request: ImportRequest, flags: Flags): Promise<void> {
  const isPreview = flags.dryRun === true || (request.update === true && !flags.yes)
  const report = await send(context, request, isPreview)
  for (const { line, reason } of report.warnings ?? []) context.printError(`fleet: warning: line ${line}: ${reason}`)
  const { added, updated = 0, conflicts } = report
  const canStore = conflicts.length === 0 && added + updated > 0
  if (flags.dryRun || !isPreview || !canStore) return show(context, report, flags, isPreview)
  if (!flags.json) printTables(context, report)
  const describe = async () => formatCounts(report, true)
  await confirm(context, flags.yes, { where: 'import', needsConsent: true, describe })
  const result = await send(context, request, false)
  const { rows, omitted, ...others } = result
  // The rows have been shown.
  show(context, flags.json ? result : others, flags, false)
}

async function send({ connect }: CliContext, request: ImportRequest, dryRun: boolean): Promise<Report> {
  const payload: ImportRequest = { ...request, dry_run: dryRun }
  const { body, undo } = await connect().call('POST /client/import', payload)
  return { ...body, undo }
}

function show(context: CliContext, report: Report, { json }: Flags, isPreview: boolean): void {
  if (json) context.printJson(report)
  else {
    printTables(context, report)
    context.print(`${formatCounts(report, isPreview)}${undoHint(report.undo)}`)
  }
  if (report.conflicts.length > 0) context.fail()
}

function formatOf(file: string): ImportRequest['format'] {
  if (file.endsWith('.csv')) return 'csv'
  if (file.endsWith('.conf')) return 'dhcpd'
  throw usageError('--format: expected csv or dhcpd, got none')
}

function readFile(file: string): string {
  // The message of a failed opening ends with the path.
  const toError = (reason: string) => usageError(`${file}: cannot be read: ${reason.replace(/, open '.*/s, '')}`)
  return orThrow(() => readFileSync(file === '-' ? 0 : file, 'utf8'), toError)
}

/** The changes of a computer. */
function toChanges({ line, name: computer, ip, room, action, changes = [] }: ImportRow) {
  if (action === 'add') return [{ line, computer, change: 'new', from: '', to: `${ip} in ${room}` }]
  return changes.map(({ key, from, to }) => ({ line, computer, change: key, from, to }))
}

const changeColumns: Column<ReturnType<typeof toChanges>[number]>[] = [
  ...(['line', 'computer'] as const),
  { title: 'change', value: ({ change }) => change, colour: ({ change }) => (change === 'new' ? 'green' : 'yellow') },
  ...(['from', 'to'] as const),
]

/** Tables of the changes and of the conflicts, which are not cut as they end with what to do; each if there are any. */
function printTables({ print, width }: CliContext, { rows = [], omitted = 0, conflicts }: ImportAnswer): void {
  const changes = rows.flatMap(toChanges)
  if (changes.length > 0) print(formatTable(changes, changeColumns, width()))
  if (omitted > 0) print(`… and ${plural(omitted, 'more line')}`)
  if (conflicts.length > 0) print(formatTable(conflicts, ['line', 'reason as conflict']))
}

/** Numbers of lines should not fill the screen. */
const linesCharacters = 60

function formatCounts(report: ImportAnswer, isPreview: boolean): string {
  const { added, exists, updated, conflicts, rows = [] } = report
  if (conflicts.length > 0) return paint('red', `${plural(conflicts.length, 'conflict')}: nothing is stored`)
  const computers = `${plural(added, 'computer')} ${isPreview ? 'would be added' : 'added'}`
  if (updated === undefined) return `${computers}, ${exists} there already`
  const unchanged = rows.flatMap(({ line, action }) => (action === 'none' ? [String(line)] : []))
  const noun = unchanged.length === 1 ? 'line' : 'lines'
  const where = unchanged.length === 0 ? '' : ` (${noun} ${cutLine(foldRanges(unchanged).join(','), linesCharacters)})`
  return `${computers}, ${updated} changed, ${exists} unchanged${where}`
}
