// The page of what DHCP servers and records do not have in common, and of what servers have refused.
import type { View } from 'fleet-host'
import { describeChange } from './_changes.ts'
import type { Context } from './_dhcp-schemas.ts'
import { type Comparison, compareAll, differs, findOutcome } from './_sync.ts'
import type pack from './pack.ts'

/** A view has 5 s. */
const readMilliseconds = 4000
const mostRows = 1000

interface Row {
  server: string
  state: string
  ip: string
  mac: string
  name: string
  detail: string
  /** ISO; null where no time belongs to it. */
  time: string | null
}

export default {
  summary: 'Differences between DHCP servers and records',
  view: 'page',
  title: 'DHCP',
  access: 'operate',
  async data({ query, ...context }) {
    const comparisons = await compareAll(context, readMilliseconds)
    const { isRefusal } = context.services
    const rows = isRefusal(comparisons)
      ? [rowOf('', 'problem', { detail: comparisons.refused })]
      : (await Promise.all(comparisons.map(each => serverRows(each, context)))).flat()
    const typed = query.toLowerCase()
    const found = rows.filter(row => Object.values(row).some(value => value?.toLowerCase().includes(typed)))
    return {
      columns: [
        { key: 'server', title: 'Server' },
        { key: 'state', title: 'State' },
        { key: 'ip', title: 'Computer' },
        { key: 'entry', title: 'Address and name' },
        { key: 'mac', title: 'Hardware address' },
        { key: 'detail', title: 'Details' },
        { key: 'time', title: 'Last sync', type: 'time' },
      ],
      rows: found.slice(0, mostRows).map(row => ({ ...row, entry: [row.ip, row.name].join(' ').trim() })),
      actions: [{ title: 'Sync now', command: 'dhcp-sync', payload: {}, form: 'page' }],
    }
  },
} satisfies View<typeof pack>

const rowOf = (server: string, state: string, more: Partial<Row>): Row => ({
  server,
  state,
  ...{ ip: '', mac: '', name: '', detail: '', time: null },
  ...more,
})

/** The server itself, then its differences. */
async function serverRows(comparison: Comparison, context: Context): Promise<Row[]> {
  const { server, problem, changes, isStale } = comparison
  const outcome = await findOutcome(server, context)
  const time = outcome ? new Date(outcome.time).toISOString() : null
  if (!changes) return [rowOf(server, 'problem', { detail: problem, time })]
  const refused = outcome?.problem ?? ''
  const state = refused !== '' ? 'problem' : differs(comparison) ? 'to be synced' : 'in step'
  const detail = state === 'problem' ? refused : isStale ? 'its boot options, or the place of its entries, differ' : ''
  const { added, changed, removed, conflicts, unknown } = changes
  const shown = ({ ip, mac, name }: Pick<Row, 'ip' | 'mac' | 'name'>) => ({ ip, mac, name })
  return [
    rowOf(server, state, { detail, time }),
    ...conflicts.map(each => rowOf(server, 'conflict', { ip: each.ip, mac: each.mac, detail: each.reason })),
    ...changed.map(({ from, to }) =>
      rowOf(server, 'to be changed', { ...shown(to), detail: describeChange(from, to) }),
    ),
    ...removed.map(each => rowOf(server, 'to be removed', shown(each))),
    ...added.map(each => rowOf(server, 'to be added', shown(each))),
    ...unknown.map(each => rowOf(server, 'without a record', { ...shown(each), detail: 'an entry of others' })),
  ]
}
