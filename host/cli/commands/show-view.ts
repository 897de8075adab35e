// `fleet view`: lists the views of modules, or shows what one of them shows in the console, as tables.
import type { ViewAnswer, ViewEntry, ViewPoint, ViewsAnswer } from '../../contract/answers.ts'
import { resolveAddresses } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { type Column, formatLocalTime, formatTable, type TitledColumn } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'
import { durationOf, scopeOptions } from './subcommand-options.ts'

const columns: Column<ViewEntry>[] = [
  'name',
  'view',
  'title',
  'pack',
  'state',
  'runs',
  'failures',
  'mean_ms as mean ms',
  'longest_ms as longest ms',
  'problem',
]

export const view = read({
  command: 'view [name]',
  description: 'show a view of a module, or list the views: fleet view list',
  options: {
    ...scopeOptions,
    '--query <text>': 'of a table: what is searched for',
    '--after <text>': 'of a table: the page after the one that ended with this',
    '--from <time>': 'of a chart: its beginning, an ISO time',
    '--until <time>': 'of a chart: its end, by default now',
    '--length <time>': 'of a chart: how long it is, such as 30m, 12h or 7d; default: 1d',
    '--step <time>': 'of a chart: the time between points, such as 10m',
  },
  async read(context, flags, name = 'list'): Promise<ViewsAnswer | ViewAnswer> {
    const api = context.connect()
    if (name === 'list') return (await api.call('GET /views')).body
    const addresses = await resolveAddresses(api, flags)
    const { query, after, from, until } = flags
    const times = { from, until, length: secondsOf('--length', flags.length), step: secondsOf('--step', flags.step) }
    // Each kind of view takes of it what it needs.
    const chosen = addresses.length === 0 ? {} : { client: addresses.slice(0, 1), clients: addresses }
    const path = name.split('/').map(encodeURIComponent).join('/')
    const { body } = await api.call(`GET /view/${path}`, { ...chosen, query, after, ...times })
    return body
  },
  format(body, { width }) {
    return 'views' in body ? formatTable(body.views, columns, width, 'no views') : formatView(body, width)
  },
})

function secondsOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const milliseconds = durationOf(text, 'smhd')
  if (!milliseconds) throw usageError(`${option}: expected a time such as 30m, 12h or 7d, got ${text}`)
  return milliseconds / 1000
}

function formatView(answer: ViewAnswer, width: number | undefined): string {
  switch (answer.view) {
    case 'computer':
      return formatTable(answer.lines, ['label', 'value', 'tone'], width, 'nothing is known')
    case 'client-badge':
      return formatTable(answer.badges, ['client', 'text', 'tone', 'title'], width, 'no marks')
    case 'overview':
      return formatFigure(answer)
    case 'page':
      return formatPage(answer, width)
    case 'chart':
      return formatChart(answer, width)
  }
}

function formatFigure({ title, figure }: ViewAnswer<'overview'>): string {
  if (!figure) return `${title}: nothing is known`
  const { value, unit = '', tone = 'neutral', points = [] } = figure
  const line = `${title}: ${[value, unit].join(' ').trim()}${tone === 'neutral' ? '' : ` (${tone})`}`
  return points.length === 0 ? line : `${line}\n${sparkline(points)}`
}

type Row = ViewAnswer<'page'>['rows'][number]

function formatPage({ columns, rows, next }: ViewAnswer<'page'>, width: number | undefined): string {
  const titled = columns.map(({ key, title, type }): TitledColumn<Row> => {
    const shown = (value: Row[string] | undefined) =>
      typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value ?? undefined)
    if (type === 'time') return { title, value: row => (row[key] ? formatLocalTime(String(row[key])) : '') }
    return { title, value: row => shown(row[key]) }
  })
  const table = formatTable(rows, titled, width, 'no rows')
  return next === undefined ? table : `${table}\nthere are more: --after '${next}'`
}

interface Moment {
  time: string
  values: readonly (number | undefined)[]
}

function formatChart({ unit = '', series }: ViewAnswer<'chart'>, width: number | undefined): string {
  const widest = series.reduce((most, { title }) => Math.max(most, title.length), 0)
  const lines = series.map(({ title, points }) => `${title.padEnd(widest)}  ${sparkline(points)}`)
  const byTime = series.map(({ points }) => new Map(points.map(({ time, value }) => [time, value])))
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ time }) => time)))].sort()
  const moments = times.map((time): Moment => ({ time, values: byTime.map(values => values.get(time)) }))
  const valueColumns = series.map(
    ({ title }, index): TitledColumn<Moment> => ({
      title: unit === '' ? title : `${title} (${unit})`,
      value: ({ values }) => values[index],
    }),
  )
  const time: TitledColumn<Moment> = { title: 'time', value: each => formatLocalTime(each.time) }
  return [...lines, formatTable(moments, [time, ...valueColumns], width, 'nothing in this time')].join('\n')
}

const blocks = '▁▂▃▄▅▆▇█'
/** Of a sparkline. */
const mostBlocks = 60

/** A block for each point, or for some of them when there are many. */
function sparkline(points: readonly ViewPoint[]): string {
  const step = Math.max(1, Math.ceil(points.length / mostBlocks))
  const values = points.filter((_, index) => index % step === 0).map(({ value }) => value)
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const levelOf = (value: number) =>
    high === low ? 3 : Math.round(((value - low) / (high - low)) * (blocks.length - 1))
  return values.map(value => blocks[levelOf(value)]).join('')
}
