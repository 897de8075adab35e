// `fleet import`: adds the computers of a file, and with --update changes existing ones after a preview.
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { ImportAnswer } from '../../contract/answers.ts'
import type { ImportRequest } from '../../contract/services.ts'
import { message } from '../../log/log.ts'
import { findRoom } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { confirm } from './confirm.ts'
import { formatCounts, formatTables } from './import-preview.ts'

interface Flags {
  format?: ImportRequest['format']
  room?: string
  update?: true
  dryRun?: true
  yes?: true
  json?: true
}

export function addImport(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('add the computers of a CSV file or a dhcpd.conf: all of them, or none')
    .argument('<file>', '- reads standard input')
    .addOption(new Option('--format <format>', 'default: from the file name').choices(['csv', 'dhcpd']))
    .option('--room <name or id>', 'the room of computers whose row names none')
    .option('--update', 'also change existing computers, found by hardware address or else by address')
    .option('--dry-run', 'only show what would happen')
    .option('--yes', 'with --update: do not ask')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: Flags) => {
      const { format = formatOf(file), update = false } = flags
      const request: ImportRequest = { format, text: readFile(file), update }
      if (flags.room !== undefined) request.room = (await findRoom(context.connect(), flags.room)).id
      await runImport(context, request, flags)
    })
}

/** An update is shown first, and stored when somebody agrees or --yes is set. */
async function runImport(context: CliContext, request: ImportRequest, flags: Flags): Promise<void> {
  const isPreview = flags.dryRun === true || (request.update === true && !flags.yes)
  const report = await send(context, request, isPreview)
  for (const { line, reason } of report.warnings ?? []) context.printError(`fleet: warning: line ${line}: ${reason}`)
  const { added, updated = 0, conflicts } = report
  const canStore = conflicts.length === 0 && added + updated > 0
  if (flags.dryRun || !isPreview || !canStore) return show(context, report, flags, isPreview)
  if (!flags.json) for (const table of formatTables(report, context.width())) context.print(table)
  const describe = async () => formatCounts(report, true)
  await confirm(context, flags.yes, { where: 'import', needsConsent: true, describe })
  const result = await send(context, request, false)
  const { rows, omitted, ...others } = result
  // The rows have been shown.
  show(context, flags.json ? result : others, flags, false)
}

async function send(context: CliContext, request: ImportRequest, dryRun: boolean): Promise<ImportAnswer> {
  const payload: ImportRequest = { ...request, dry_run: dryRun }
  return (await context.connect().call<ImportAnswer>('POST /client/import', payload)).body
}

function show(context: CliContext, report: ImportAnswer, { json }: Flags, isPreview: boolean): void {
  if (json) context.printJson(report)
  else {
    for (const table of formatTables(report, context.width())) context.print(table)
    context.print(formatCounts(report, isPreview))
  }
  if (report.conflicts.length > 0) context.fail()
}

function formatOf(file: string): ImportRequest['format'] {
  if (file.endsWith('.csv')) return 'csv'
  if (file.endsWith('.conf')) return 'dhcpd'
  throw usageError('--format: expected csv or dhcpd, got none')
}

function readFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    // The message of a failed opening ends with the path.
    throw usageError(`${file}: cannot be read: ${message(error).replace(/, open '.*/s, '')}`)
  }
}
