// `fleet report`: who has the image of a job, who not, and why.
import { writeRecord } from '../../computers/import/csv.ts'
import type { ReportAnswer } from '../../contract/answers.ts'
import { type ApiClient, readPages } from '../api/client.ts'
import { stateWord } from '../api/job-sums.ts'
import { CliError } from '../cli-error.ts'
import { agentHint } from '../terminal/agent-hint.ts'
import { formatWait } from '../terminal/progress-bar.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'
import { type Column, countColumn, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { requireJobId } from './jobs.ts'
import { subcommand } from './subcommand.ts'

type ComputerRow = ReportAnswer['computers'][number]

export const report = subcommand({
  command: 'report [job]',
  argument: 'its id; default: the newest job that restores an image',
  description: 'who has the image of a job, who not, and why',
  options: {
    '--all': 'list also the computers that have it',
    '--csv': 'print all computers as CSV',
    '--json': 'print JSON',
  },
  async run(context, { all, csv, json }, text) {
    const api = context.connect()
    const id = text === undefined ? await newestRestore(api) : requireJobId('report', text)
    const report = await readPages(
      query => api.call(`GET /job/report?${new URLSearchParams({ id, ...query })}`),
      ({ computers }) => computers,
    )
    if (json) context.printJson(report)
    else if (csv) context.printUntrusted([csvHeader, ...report.computers.map(csvRow)].map(toCsv).join(''))
    else context.print(formatReport(report, all === true, context.width()))
  },
})

async function newestRestore({ call }: ApiClient): Promise<string> {
  const { body } = await call('GET /jobs?command=image-restore&limit=1')
  const [job] = body.jobs
  if (!job) throw new CliError('report: expected a job that restores an image, got none')
  return String(job.id)
}

const csvHeader = ['center', 'room', 'name', 'client', 'state', 'has image', 'confirmed', 'reason', 'started', 'ended']

const toCsv = (cells: string[]) => writeRecord(cells.map(cell => cell || undefined))

function csvRow({ center, room, name, client, state, has_image, ...row }: ComputerRow): string[] {
  const confirmed = state === 'success' || has_image ? (row.unconfirmed ? 'no' : 'yes') : ''
  const has = has_image === undefined ? '' : has_image ? 'yes' : 'no'
  const { started, ended } = row
  const reason = reasonOf(row) ?? ''
  return [center, room, name, client, state, has, confirmed, reason, formatLocalTime(started), formatLocalTime(ended)]
}

const roomColumns: Column<ReportAnswer['rooms'][number]>[] = [
  'center',
  { title: 'room', value: ({ room }) => room || 'no record' },
  countColumn('computers', ({ total }) => total),
  countColumn('have it', ({ has }) => has, 'green'),
  countColumn('unconfirmed', ({ unconfirmed }) => unconfirmed, 'yellow'),
  countColumn('not yet', ({ open }) => open),
  countColumn('missing', ({ missing }) => missing, 'red'),
]

const computerColumns: Column<ComputerRow>[] = [
  'room',
  { title: 'name', value: ({ name, client }) => name || client },
  {
    title: 'state',
    value: outcomeOf,
    colour: ({ state, unconfirmed }) => (unconfirmed ? 'yellow' : stateColours[state]),
  },
  { title: 'began', value: ({ started }) => timeOnly(started) },
  { title: 'ended', value: ({ ended }) => timeOnly(ended) },
  { title: 'reason', value: reasonOf },
]

/** Of what waits: what for. */
function reasonOf({ reason, waiting }: Pick<ComputerRow, 'reason' | 'waiting'>): string | undefined {
  return reason ?? (waiting && formatWait(waiting))
}

/** Names the step when it is not that of the image: the computer has it, but a later step has failed. */
function outcomeOf({ state, has_image, command }: ComputerRow): string {
  return has_image && state !== 'success' ? `${stateWord(state)} of ${command}` : stateWord(state)
}

/** A night has one time of each hour. */
const timeOnly = (iso: string | undefined) => formatLocalTime(iso).split(' ')[1] ?? ''

const hasIt = ({ has_image, state }: ComputerRow) => has_image ?? state === 'success'

function formatReport(report: ReportAnswer, all: boolean, width: number | undefined): string {
  const { id, name, retry_of, created, ended, total, has, unconfirmed, open, missing, rooms, computers } = report
  const isNotable = (row: ComputerRow) => all || !hasIt(row) || row.unconfirmed || row.state !== 'success'
  const shown = computers.filter(isNotable).toSorted((one, other) => Number(hasIt(one)) - Number(hasIt(other)))
  const parts = [
    paint('green', `${has} of ${plural(total, 'computer')} have it`),
    unconfirmed > 0 ? paint('yellow', `${unconfirmed} of them not confirmed`) : '',
    open > 0 ? paint('cyan', `${open} not yet`) : '',
    missing > 0 ? paint('red', `${missing} missing`) : '',
  ]
  const retried = retry_of === undefined ? '' : `, a retry of job ${retry_of}, which fleet report ${retry_of} sums up`
  const times = `began ${formatLocalTime(created)}${ended ? `, ended ${formatLocalTime(ended)}` : ''}${retried}`
  const lines = [
    `job ${id} ${onOneLine(name)}: ${parts.filter(Boolean).join(', ')}`,
    paint('gray', times),
    '',
    formatTable(rooms, roomColumns, width),
  ]
  if (shown.length > 0) lines.push('', formatTable(shown, computerColumns, width))
  lines.push(...agentHint(shown.map(({ reason }) => reason).join('\n')))
  const hint = open === 0 ? retryHint(id, computers) : ''
  if (hint !== '') lines.push('', paint('gray', hint))
  return lines.join('\n')
}

/** `--failed` leaves out those that were skipped, expired or cancelled. */
function retryHint(id: number, computers: readonly ComputerRow[]): string {
  const retry = `fleet job retry ${id}`
  const failed = computers.filter(({ state }) => state === 'failure').length
  const others = computers.filter(row => !hasIt(row) && row.state !== 'failure').length
  if (others > 0)
    return `${retry} tries all of them again${failed > 0 ? `, with --failed the ${failed} that failed` : ''}`
  return failed > 0 ? `${retry} --failed runs what has failed again` : ''
}
