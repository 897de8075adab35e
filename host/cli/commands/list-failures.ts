// `fleet failures`: the commands that have failed on computers, until they succeed there or somebody has seen it.
import type { FailureAnswer } from '../../contract/answers.ts'
import { readPages } from '../api/client.ts'
import { readComputers } from '../api/records.ts'
import { paint } from '../terminal/terminal.ts'
import { compareNames, formatTable, timeColumn } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'

type Row = FailureAnswer & { name: string }

export const failures = read({
  command: 'failures',
  description: 'list what has failed on computers and has not succeeded there since',
  options: {
    '--where <query>': scopeOptions['--where <query>'],
    '--seen': 'mark what is listed as seen: it is not listed again, also in the console',
  },
  help: `
  fleet failures
  fleet failures --where 'room:"Lab 1"' --seen`,
  async read({ connect }, { where, seen }) {
    const { call } = connect()
    const query: Record<string, string> = where === undefined ? {} : { where }
    const answer = await readPages(
      page => call(`GET /failures?${new URLSearchParams({ ...query, ...page })}`),
      ({ failures }) => failures,
    )
    const clients = [...new Set(answer.failures.map(({ client }) => client))]
    if (seen && clients.length > 0) await call('POST /failure/seen', { clients })
    return answer
  },
  async format({ failures: found }, { context, width }) {
    const computers = await readComputers(context.connect())
    const rows = found.map((each): Row => ({ ...each, name: computers.get(each.client)?.name ?? each.client }))
    const sorted = rows.sort((a, b) => compareNames(a.name, b.name) || compareNames(a.command, b.command))
    const columns = ['name as computer', 'command', 'job', timeColumn('time', 'when'), 'reason'] as const
    const table = formatTable(sorted, columns, width, 'nothing has failed that nobody has seen')
    const hint = 'fleet job <job> --output shows what a script printed; fleet failures --seen marks these as seen'
    return rows.length === 0 ? table : `${table}\n${paint('gray', hint)}`
  },
})
