// `fleet failures`: the commands that have failed on computers, until they succeed there or somebody has seen it.
import { groupBy } from '../../../stores/rules/group-by.ts'
import { shortReason } from '../../../stores/rules/short-reason.ts'
import type { FailureAnswer } from '../../contract/answers.ts'
import { readPages } from '../api/client.ts'
import { readComputers } from '../api/records.ts'
import { agentHint } from '../terminal/agent-hint.ts'
import { foldNames, foldRanges } from '../terminal/folded-names.ts'
import { paint } from '../terminal/terminal.ts'
import { compareNames, formatTable, plural, timeColumn } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'
import { queryOf } from './task-targets.ts'

type Row = FailureAnswer & { name: string }

export const failures = read({
  command: 'failures',
  description: 'list what has failed on computers and has not succeeded there since',
  options: {
    ...scopeOptions,
    '--seen': 'mark what is listed as seen: it is not listed again, also in the console',
  },
  help: `
  fleet failures
  fleet failures --room "Lab 1" --seen`,
  async read({ connect }, { seen, ...flags }) {
    const { call } = connect()
    const where = await queryOf(connect(), flags)
    const query: Record<string, string> = where === undefined ? {} : { where }
    const answer = await readPages(
      page => call(`GET /failures?${new URLSearchParams({ ...query, ...page })}`),
      ({ failures }) => failures,
    )
    const clients = [...new Set(answer.failures.map(({ client }) => client))]
    if (seen && clients.length > 0) await call('POST /failure/seen', { clients })
    return { ...answer, ...(seen && { seen }) }
  },
  async format({ failures: found, seen }, { context, width }) {
    const computers = await readComputers(context.connect())
    const rows = found.map((each): Row => ({ ...each, name: computers.get(each.client)?.name ?? each.client }))
    const table = (isStopped: boolean, none?: string) => {
      const shown = rows.filter(({ stopped }) => (stopped !== undefined) === isStopped)
      return formatTable(groupRows(shown), columns, width, none)
    }
    const lines = [table(false, 'nothing has failed that nobody has seen')]
    if (rows.some(({ stopped }) => stopped !== undefined))
      lines.push('', paint('bold', 'Stopped by somebody'), table(true))
    lines.push(...agentHint(found.map(({ reason }) => reason).join('\n')))
    const hint = 'fleet job <job> --output shows what a script printed; fleet failures --seen marks these as seen'
    if (rows.length > 0) lines.push(seen ? seenWords(rows) : paint('gray', hint))
    return lines.join('\n')
  },
})

/** A row of the table is of several computers, of which one may have several failures. */
const seenWords = (rows: readonly Row[]) => {
  const computers = plural(new Set(rows.map(({ client }) => client)).size, 'computer')
  return `${plural(rows.length, 'failure')} on ${computers} marked as seen`
}

const columns = ['computers', 'command', 'jobs as job', timeColumn('time', 'when'), 'reason'] as const

/** A row for each command and reason, in the order of the computers, with the time of the newest one; details of one only. */
function groupRows(rows: readonly Row[]) {
  const sorted = rows.toSorted((a, b) => compareNames(a.name, b.name) || compareNames(a.command, b.command))
  const groups = groupBy(sorted, ({ command, reason }) => JSON.stringify([command, shortReason(reason)]))
  return Array.from(groups.values(), group => {
    const [{ command = '', reason = '' } = {}] = group
    const ids = [...new Set(group.map(({ job }) => job))].sort((a, b) => a - b)
    return {
      command,
      reason: group.length === 1 ? reason : shortReason(reason),
      computers: foldNames(group.map(({ name }) => name)),
      jobs: foldRanges(ids.map(String)).join(),
      time: group
        .map(({ time }) => time)
        .sort()
        .at(-1),
    }
  })
}
