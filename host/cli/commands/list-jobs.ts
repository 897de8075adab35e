// `fleet jobs` lists jobs.
import { shownStates, unfinishedStates } from '../../../stores/rules/part-states.ts'
import type { ListedJob } from '../../contract/answers.ts'
import { type ShownState, stateWord } from '../api/job-sums.ts'
import { resolveAddress } from '../api/records.ts'
import { formatSeconds } from '../terminal/progress-bar.ts'
import { stateColours } from '../terminal/terminal.ts'
import { type Column, countColumn, formatClock, formatTable, timeColumn } from '../terminal/text-table.ts'
import { whatOf } from './job-results.ts'
import { scriptTitle } from './script-library.ts'
import { read } from './subcommand.ts'

/** The computers in these states. */
const sumColumn = (title: string, states: readonly ShownState[]): Column<ListedJob> =>
  countColumn(title, job => states.reduce((sum, state) => sum + job.computers[state], 0), stateColours[states[0] ?? ''])

/** What a script begins with, its name in the library, or that of an image: the name of the command alone says less. */
function askedFor({ name, commands, arguments: [first] = [], where }: ListedJob): string {
  const key = ['script', 'run', 'name'].find(key => typeof first?.[key] === 'string')
  if (key === undefined || commands.join() !== name) return whatOf({ name, where })
  return whatOf({ name: `${key === 'name' ? name : key}: ${scriptTitle(String(first?.[key]))}`, where })
}

const namedStates = ['success', 'failure', 'skipped', ...unfinishedStates]

const columns: Column<ListedJob>[] = [
  'id as job',
  { title: 'what', value: askedFor },
  { title: 'from', value: ({ origin, retry_of }) => (retry_of === undefined ? origin : `retry of ${retry_of}`) },
  'by',
  // Short titles: with longer ones a row would not fit into 80 columns.
  sumColumn('ok', ['success']),
  sumColumn('fail', ['failure']),
  sumColumn('skip', ['skipped']),
  sumColumn('drop', [...shownStates.filter(state => !namedStates.includes(state)), 'stopped']),
  sumColumn('open', unfinishedStates),
  timeColumn('created'),
]

/** `1:30, until 06:30`. */
const runsColumn: Column<ListedJob> = {
  title: 'runs',
  value: ({ running }) =>
    running &&
    [formatSeconds(running.seconds), running.deadline && `until ${formatClock(running.deadline)}`]
      .filter(Boolean)
      .join(', '),
}

const columnsOf = (jobs: ListedJob[]) => (jobs.some(({ running }) => running) ? [...columns, runsColumn] : columns)

export const jobs = read({
  command: 'jobs',
  description: 'list jobs, the newest first, with their numbers of computers',
  options: {
    '--state <state>': { text: 'jobs with a part in this state', choices: [...shownStates.map(stateWord), 'sent'] },
    '--command <name>': 'jobs with this command',
    '--client <ip or name>': 'jobs for this client',
    '--limit <count>': { text: 'at most this many', default: '20' },
  },
  canWatch: true,
  async read({ connect }, { state, command, client, limit }) {
    const query = new URLSearchParams({ limit })
    if (state !== undefined) query.set('state', state === 'running' ? 'sent' : state)
    if (command !== undefined) query.set('command', command)
    if (client !== undefined) query.set('client', await resolveAddress(connect(), client))
    return (await connect().call(`GET /jobs?${query}`)).body
  },
  format({ jobs }, { width }) {
    return formatTable(jobs, columnsOf(jobs), width, 'no jobs')
  },
})
