// `fleet import`: adds the computers of a file to a room.
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { ImportReport } from '../../services.ts'
import { message } from '../../system/log.ts'
import { findRoom } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, formatTable, plural } from '../terminal/text-table.ts'

interface Flags {
  format?: string
  room: string
  dryRun?: boolean
  json?: true
}

export function addImport(program: Command, { connect, print, printJson, width, fail }: CliContext): void {
  program
    .command('import')
    .description('add the computers of a CSV file or a dhcpd.conf: all of them, or none')
    .argument('<file>', '- reads standard input')
    .addOption(new Option('--format <format>', 'default: from the file name').choices(['csv', 'dhcpd']))
    .requiredOption('--room <name or id>', 'the room of the computers')
    .option('--dry-run', 'only report what would be added')
    .option('--json', 'print JSON')
    .action(async (file: string, { format = formatOf(file), room, dryRun = false, json }: Flags) => {
      const text = readFile(file)
      const { id } = await findRoom(connect(), room)
      const payload = { format, text, room: id, dry_run: dryRun }
      const { body } = await connect().call<ImportReport>('POST /client/import', payload)
      if (json) printJson(body)
      else print(formatReport(body, dryRun, width()))
      if (body.conflicts.length > 0) fail()
    })
}

function formatOf(file: string): string {
  if (file.endsWith('.csv')) return 'csv'
  if (file.endsWith('.conf')) return 'dhcpd'
  throw usageError('--format: expected csv or dhcpd, got none')
}

function readFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw usageError(`${file}: cannot be read: ${message(error)}`)
  }
}

const conflictColumns: Column<ImportReport['conflicts'][number]>[] = [
  { title: 'line', value: ({ line }) => line, alignRight: true },
  { title: 'conflict', value: ({ reason }) => reason },
]

function formatReport({ added, exists, conflicts }: ImportReport, dryRun: boolean, width?: number): string {
  if (conflicts.length === 0)
    return `${plural(added, 'computer')} ${dryRun ? 'would be added' : 'added'}, ${exists} there already`
  const total = paint('red', `${plural(conflicts.length, 'conflict')}: nothing is stored`)
  return `${formatTable(conflicts, conflictColumns, width)}\n${total}`
}
