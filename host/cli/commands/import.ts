// `fleet import`: many computers out of a file into a room.
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { ImportReport } from '../../services.ts'
import { message } from '../../system/log.ts'
import { findRoom } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { usageError } from '../terminal/failure.ts'
import { type Column, counted, table } from '../terminal/table.ts'
import { paint } from '../terminal/terminal.ts'

interface Flags {
  format?: string
  room: string
  dryRun?: true
  json?: true
}

export function addImport(program: Command, { connect, print, printJson, fail }: CliContext): void {
  program
    .command('import')
    .description('add computers out of a CSV file or a dhcpd.conf: all of them, or none')
    .argument('<file>', '- reads standard input')
    .addOption(new Option('--format <format>', 'by default what the name of the file says').choices(['csv', 'dhcpd']))
    .requiredOption('--room <name or id>', 'where they stand')
    .option('--dry-run', 'only tell what would be done')
    .option('--json', 'print JSON')
    .action(async (file: string, { format, room, dryRun, json }: Flags) => {
      const given = { format: format ?? formatOf(file), text: read(file), dry_run: dryRun === true }
      const { id } = await findRoom(connect(), room)
      const { body } = await connect().call<ImportReport>('POST /client/import', { ...given, room: id })
      if (json) printJson(body)
      else print(told(body, dryRun === true))
      if (body.conflicts.length > 0) fail()
    })
}

function formatOf(file: string): string {
  if (file.endsWith('.csv')) return 'csv'
  if (file.endsWith('.conf')) return 'dhcpd'
  throw usageError('--format: expected csv or dhcpd, got none')
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw usageError(`${file}: cannot be read: ${message(error)}`)
  }
}

const conflictColumns: Column<ImportReport['conflicts'][number]>[] = [
  { title: 'line', of: ({ line }) => line, right: true },
  { title: 'conflict', of: ({ reason }) => reason },
]

function told({ added, exists, conflicts }: ImportReport, dryRun: boolean): string {
  if (conflicts.length === 0)
    return `${counted(added, 'computer')} ${dryRun ? 'would be added' : 'added'}, ${exists} there already`
  const sum = paint('red', `${counted(conflicts.length, 'conflict')}: nothing is stored`)
  return `${table(conflicts, conflictColumns)}\n${sum}`
}
