// `fleet search`: the computers that a query finds, with chosen columns.
import type { AnswerOf } from '../../contract/answers.ts'
import { readPages } from '../api/job-reader.ts'
import { paint } from '../terminal/terminal.ts'
import { formatBytes, formatTable, plural, type TitledColumn } from '../terminal/text-table.ts'
import { subcommand } from './subcommand.ts'

type SearchAnswer = AnswerOf<'GET /search'>
type Found = SearchAnswer['computers'][number]

const defaultColumns = 'client,name,room,center,state'

/** Computers of one answer. */
const pageLength = '1000'

const search = subcommand({
  command: 'search [query]',
  description: 'find computers: fleet search \'room:"Lab 1" os:windows ram<8GB\'',
  options: {
    '--columns <names>': `with commas between, also software:TEXT; default: ${defaultColumns}`,
    '--sort <column>': 'the order; -column: the opposite one',
    '--csv': 'print CSV',
    '--json': 'print JSON',
  },
  async run(context, { columns = defaultColumns, sort, csv, json }, where = '') {
    const { call } = context.connect()
    const query = { where, columns, limit: pageLength, ...(sort !== undefined && { sort }) }
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
    const table = formatTable(found.computers, titled, context.width(), 'no computer')
    return context.print(found.total === 0 ? table : `${table}\n${paint('gray', plural(found.total, 'computer'))}`)
  },
})

const columnOf = (name: string): TitledColumn<Found> => {
  const isSize = name === 'ram' || name === 'disk'
  return {
    title: name,
    ...(isSize && { alignRight: true }),
    value(computer) {
      const cell = new Map<string, unknown>(Object.entries(computer)).get(name)
      if (isSize && typeof cell === 'number') return formatBytes(cell * 1024 * 1024)
      return Array.isArray(cell) ? cell.join(', ') : cell === undefined ? '' : String(cell)
    },
  }
}

export const searchCommands = [search]
