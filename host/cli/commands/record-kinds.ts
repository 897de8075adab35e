// The kinds of records that `fleet` adds, changes, deletes and lists in the same way.
import type { ProcedureAnswer, TaskAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { readScopes } from '../api/records.ts'
import { followedWords } from '../terminal/followed-words.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, compareNames, formatTable } from '../terminal/text-table.ts'
import { listComputers } from './clients.ts'
import { optionWords } from './run-options.ts'
import { type RoomRow, showComputer, showRoom, withComputerRecords, withRoomRecords } from './show-record.ts'
import { showProcedure, showTask } from './show-work.ts'
import { type Add, read } from './subcommand.ts'

export interface RecordVerbs {
  /** What the names of its commands begin with: `client-add`. */
  prefix: string
  /** The key of the payload of an update that says which record. */
  idKey: string
  /** Keys of payloads that no option is made of. */
  without?: readonly string[]
  /** Keys of payloads with an object whose keys are options themselves. */
  nested?: readonly string[]
  /** The records as the API has them, for what an update needs and nobody has typed. Computers have other ones. */
  rows?(api: ApiClient): Promise<NamedRow[]>
  plural: string
  list: Add
  show?: readonly Add[]
}

type NamedRow = { id: number; name: string; planned?: boolean }

interface Listed<Row, Shown> {
  plural: string
  rows(api: ApiClient): Promise<Row[]>
  /** Rows with more of their records, for the list only. */
  details?(api: ApiClient, rows: Row[]): Promise<Row[]>
  /** Rows with what a person wants to read in place of ids. */
  show(api: ApiClient, rows: Row[]): Promise<Shown[]>
  columns: readonly Column<NoInfer<Shown>>[]
  /** Whether only --all lists the rows that planned restores have made. */
  hidesPlanned?: true
}

const allOption = { '--all': 'also those of planned restores' }

/** A list of all records in the order of their names; in JSON as the API has them. */
function listed<Row extends NamedRow, Shown extends NamedRow>(declaration: Listed<Row, Shown>) {
  const { plural, rows, details = asTheyAre, show, columns, hidesPlanned } = declaration
  const options: { '--all'?: string } = hidesPlanned ? allOption : {}
  const list = read({
    command: 'list',
    description: `list ${plural}`,
    options,
    async read({ connect }, { all }) {
      const found = await details(connect(), await rows(connect()))
      return { found, hidden: new Set(all ? [] : found.filter(({ planned }) => planned)) }
    },
    async format({ found, hidden }, { context, width }) {
      const listed = found.filter(row => !hidden.has(row))
      const shown = (await show(context.connect(), listed)).sort((a, b) => compareNames(a.name, b.name))
      const table = formatTable(shown, columns, width, `no ${plural}`)
      const note = `${hidden.size} of planned restores: fleet ${plural.slice(0, -1)} list --all`
      return hidden.size === 0 ? table : `${table}\n${paint('gray', note)}`
    },
    toJson: ({ found }) => ({ [plural]: found }),
  })
  return { plural, rows, list }
}

const asTheyAre = async <Row>(_api: ApiClient, rows: Row[]) => rows

const countOf = async (api: ApiClient, kind: 'centers' | 'rooms') =>
  (await readScopes(api))[kind].map(({ computers, ...row }) => ({ ...row, computers: computers.length }))

/** With the name of the center. */
async function withCenters<Row extends { center: number }>(api: ApiClient, rows: Row[]) {
  const { centers } = await readScopes(api)
  const names = new Map(centers.map(({ id, name }) => [id, name]))
  return rows.map(row => ({ ...row, centerName: names.get(row.center) ?? `${row.center}` }))
}

const readProcedures = async ({ call }: ApiClient) => (await call('GET /procedures')).body.procedures
const readTasks = async ({ call }: ApiClient) => (await call('GET /tasks')).body.tasks

/** With the names of its steps. */
async function showTasks(api: ApiClient, tasks: TaskAnswer[]) {
  const procedures = await readProcedures(api)
  const nameOf = (step: TaskAnswer['steps'][number]) => {
    const [rows, id] = 'task' in step ? [tasks, step.task] : [procedures, step.procedure]
    return rows.find(row => row.id === id)?.name ?? `${id}`
  }
  const rows = tasks.map(task => ({ ...task, does: task.steps.map(nameOf).join(', ') }))
  return withCenters(api, rows)
}

const nameOf = (step: ProcedureAnswer['steps'][number]) =>
  'command' in step ? step.command : `procedure ${step.procedure}`

const center = 'centerName as center'

export const recordKinds: Record<string, RecordVerbs> = {
  center: {
    prefix: 'center',
    idKey: 'center',
    ...listed({
      plural: 'centers',
      rows: api => countOf(api, 'centers'),
      show: asTheyAre,
      columns: ['id', 'name', 'computers'],
    }),
  },
  room: {
    prefix: 'room',
    idKey: 'room',
    show: [showRoom],
    ...listed({
      plural: 'rooms',
      rows: (api): Promise<RoomRow[]> => countOf(api, 'rooms'),
      details: withRoomRecords,
      show: async (_api, rows) => rows.map(room => ({ ...room, tags: room.tags?.join(' ') })),
      columns: ['id', 'name', 'center', 'computers', 'netmask', 'tags'],
    }),
  },
  computer: {
    prefix: 'client',
    idKey: 'ip',
    nested: ['place'],
    plural: 'computers',
    list: listComputers('list', withComputerRecords),
    show: [showComputer],
  },
  task: {
    prefix: 'task',
    idKey: 'task',
    without: ['scope'],
    nested: ['options'],
    show: [showTask],
    ...listed({
      plural: 'tasks',
      rows: readTasks,
      show: showTasks,
      hidesPlanned: true,
      columns: [
        ...(['id', 'name', center] as const),
        { title: 'for', value: ({ for: words }) => followedWords(words) },
        'does',
        { title: 'how', value: ({ options }) => optionWords(options) },
      ],
    }),
  },
  procedure: {
    prefix: 'procedure',
    idKey: 'procedure',
    show: [showProcedure],
    ...listed({
      plural: 'procedures',
      rows: readProcedures,
      show: (api, rows) => withCenters(api, rows),
      hidesPlanned: true,
      columns: ['id', 'name', center, { title: 'does', value: ({ steps }) => steps.map(nameOf).join(', ') }],
    }),
  },
  repository: {
    prefix: 'repository',
    idKey: 'repository',
    ...listed({
      plural: 'repositories',
      rows: async ({ call }) => (await call('GET /repositories')).body.repositories,
      show: asTheyAre,
      columns: ['id', 'name', 'ip as address', 'slots'],
    }),
  },
}
