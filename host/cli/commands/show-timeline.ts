// `fleet timeline`: when a computer was on and in use.
import type { ClientHistoryAnswer } from '../../contract/answers.ts'
import { resolveAddress } from '../api/records.ts'
import { describeStatus } from '../terminal/computer-states.ts'
import { formatTable, timeColumn } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'

export const timeline = read({
  command: 'timeline <computer>',
  description: 'show when a computer was on and in use',
  help: `
  fleet timeline pc-20
  fleet timeline pc-20 --from 2026-09-14 --to 2026-09-15`,
  options: {
    '--from <time>': 'an ISO time or a day (UTC); default: seven days ago',
    '--to <time>': 'an ISO time or a day (UTC); default: now',
  },
  async read({ connect }, { from, to }, computer): Promise<ClientHistoryAnswer> {
    const client = await resolveAddress(connect(), computer)
    const query = new URLSearchParams({ client, ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
    return (await connect().call(`GET /history/client?${query}`)).body
  },
  format({ changes, gaps }, { width }) {
    const rows = [
      ...changes.map(({ time, state, in_use, user }) => {
        return { time, state: `${describeStatus(state)}${in_use ? ' in use' : ''}`, user: user ?? '' }
      }),
      ...gaps.map(({ from }) => ({ time: from, state: 'not recorded', user: '' })),
    ].sort((one, other) => one.time.localeCompare(other.time))
    return formatTable(rows, [timeColumn('time', 'from'), 'state', 'user'], width)
  },
})
