// `fleet search`: the computers that a query finds, with chosen columns; `fleet software search`: who has which programs.
import type { AnswerOf, ProgramsAnswer } from '../../contract/answers.ts'
import { formatBytes } from '../../log/shown-text.ts'
import { readPages } from '../api/client.ts'
import { nothingFound } from '../api/search-computers.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { describeStatus } from '../terminal/computer-states.ts'
import { paint } from '../terminal/terminal.ts'
import { formatTable, plural, type TitledColumn } from '../terminal/text-table.ts'
import { type FlagsOf, read, subcommand } from './subcommand.ts'

type SearchAnswer = AnswerOf<'GET /search'>
type Found = SearchAnswer['computers'][number]

const defaultColumns = 'client,name,room,center,state'

/** Computers of one answer, which has a limit. */
const pageLength = '200'

export const listOptions = {
  '--columns <names>': `with commas between, also software:TEXT; default: ${defaultColumns}`,
  '--sort <column>': 'the order; -column: the opposite one',
  '--csv': 'print CSV',
  '--json': 'print JSON',
} as const

/** Prints the computers that a query finds. */
export async function listFound(context: CliContext, where: string, flags: FlagsOf<typeof listOptions>): Promise<void> {
  const { columns = defaultColumns, sort, csv, json } = flags
  const { call } = context.connect()
  const query = { where, columns, limit: pageLength, explain: '1', ...(sort !== undefined && { sort }) }
  if (csv) {
    const { body } = await call(`GET /search?${new URLSearchParams({ ...query, format: 'csv' })}`)
    return context.printUntrusted(String(body))
  }
  const found = await readPages(
    more => call(`GET /search?${new URLSearchParams({ ...query, ...more })}`),
    (page: SearchAnswer) => page.computers,
  )
  if (json) return context.printJson(found)
  const titled = columns.split(',').map(column => columnOf(column.trim()))
  // The query as it came: a shell may have removed its quotation marks.
  const nothing = where === '' ? 'no computer' : [`no computer matches ${where}`, ...nothingFound(found)].join('\n')
  const table = formatTable(found.computers, titled, context.width(), nothing)
  return context.print(found.total === 0 ? table : `${table}\n${paint('gray', plural(found.total, 'computer'))}`)
}

const search = subcommand({
  command: 'search [query]',
  description: 'find computers: fleet search \'room:"Lab 1" os:windows ram<8GB\'',
  options: listOptions,
  run: (context, flags, where = '') => listFound(context, where, flags),
})

const columnOf = (name: string): TitledColumn<Found> => {
  const isSize = name === 'ram' || name === 'disk'
  return {
    title: name,
    ...(isSize && { alignRight: true }),
    value(computer) {
      const cell = new Map<string, unknown>(Object.entries(computer)).get(name)
      if (isSize && typeof cell === 'number') return formatBytes(cell * 1024 * 1024)
      if (name === 'state' && typeof cell === 'string') return describeStatus(cell)
      return Array.isArray(cell) ? cell.join(', ') : cell === undefined ? '' : String(cell)
    },
  }
}

type ProgramRow = { program: string; version: string; computers: number; rooms: string }

const programSearch = read({
  command: 'search [text]',
  description: 'list programs with the number of computers that have each version',
  options: {
    '--where <query>': 'only the computers that it finds',
    '--limit <count>': 'at most so many versions; default: 100',
    '--after <line>': 'those after this line',
  },
  async read({ connect }, { where = '', limit = '100', after }, text = ''): Promise<ProgramsAnswer> {
    const query = { search: text, where, limit, ...(after !== undefined && { after }) }
    const { body } = await connect().call(`GET /software?${new URLSearchParams(query)}`)
    if (!('programs' in body)) throw new CliError('expected programs, got another answer')
    return body
  },
  format({ programs, rooms, next }, { width }) {
    const names = new Map(rooms.map(({ room, name }) => [room, name]))
    const rows = programs.flatMap(({ name, computers, versions, rooms: counts }): ProgramRow[] => {
      const places = counts.map(({ room, computers }) => `${names.get(room) ?? room}: ${computers}`).join(', ')
      const [first, ...others] = versions.map(({ version = '', computers }) => ({ version, computers }))
      if (first && others.length === 0) return [{ program: name, ...first, rooms: places }]
      const sum = { program: name, version: plural(versions.length, 'version'), computers, rooms: places }
      return [sum, ...versions.map(({ version = '', computers }) => ({ program: '', version, computers, rooms: '' }))]
    })
    const table = formatTable(rows, ['program', 'version', 'computers', 'rooms'], width, 'no program')
    return next === undefined ? table : `${table}\n${paint('gray', `more: --after '${next}'`)}`
  },
})

const software = subcommand({
  command: 'software',
  description: 'find programs on all computers',
  children: [programSearch],
})

export const searchCommands = [search, software]
