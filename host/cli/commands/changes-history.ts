// `fleet history`: what has changed in the inventory of a computer, or of those that a query finds.
import type { AnswerOf } from '../../contract/answers.ts'
import { resolveAddress } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { paint } from '../terminal/terminal.ts'
import { formatTable, timeColumn } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'

type HistoryAnswer = AnswerOf<'GET /inventory/history'>
type Change = HistoryAnswer['changes'][number]

const history = read({
  command: 'history [computer...]',
  description: 'show what has changed in the inventory of a computer, and when',
  usage: '[options] <computer> [text]\n       fleet history [options] --where <query> [text]',
  help: `
Only names that have the text are shown.

  fleet history pc-20 blender
  fleet history --where 'room:"Lab 1"' --kind disk`,
  options: {
    '--where <query>': 'of the computers that it finds, in place of one computer',
    '--kind <kind>': { text: 'only of this inventory', choices: ['software', 'hardware', 'disk', 'system'] },
    '--limit <count>': 'with --where: at most so many changes; default: 100',
    '--after <place>': 'with --where: those after this one',
  },
  async read({ connect }, { where, kind, limit, after }, words): Promise<HistoryAnswer> {
    const [computer, text, more] = where === undefined ? words : [undefined, ...words]
    if ((where === undefined && computer === undefined) || more !== undefined)
      throw usageError('history: expected a computer, or --where with a query, and a text at most')
    const client = computer === undefined ? undefined : await resolveAddress(connect(), computer)
    const query = Object.entries({ where, client, kind, limit, after, search: text })
    const given = query.filter((entry): entry is [string, string] => entry[1] !== undefined)
    return (await connect().call(`GET /inventory/history?${new URLSearchParams(given)}`)).body
  },
  format(answer, { width }) {
    const rows = answer.changes.flatMap((change: Change) => [
      ...rowsOf('-', change, change.removed, change.removed_total),
      ...rowsOf('+', change, change.added, change.added_total),
    ])
    const isOfMany = !('since' in answer)
    const columns = [timeColumn('time', 'when'), ...(isOfMany ? (['computer'] as const) : []), 'kind', 'what'] as const
    const table = formatTable(rows, columns, width, 'no change')
    const next = 'next' in answer ? answer.next : undefined
    return next === undefined ? table : `${table}\n${paint('gray', `more: --after ${next}`)}`
  },
})

function rowsOf(sign: string, change: Change, names: readonly string[], total = names.length) {
  const { time, kind } = change
  const computer = 'client' in change ? change.name || change.client : ''
  const shown = names.map(name => ({ time, computer, kind, what: `${sign} ${name}` }))
  const omitted = total - names.length
  return omitted > 0 ? [...shown, { time, computer, kind, what: `${sign} ${omitted} more` }] : shown
}

export const historyCommands = [history]
