// The page of all computers with the health of their disks, the worst first.
import type { View } from 'fleet-host'
import { type HealthRow, isoTime, readRows, sortWorst } from './_health-rows.ts'
import { describeDisk } from './_reports.ts'
import type pack from './pack.ts'

/** Rows of a page. */
const pageSize = 500

export default {
  summary: 'Computers with the health of their disks',
  view: 'page',
  title: 'Disk health',
  scoped: true,
  async data({ rights, query, after, ...context }) {
    const all = await sortWorst(await readRows(context, rights), context)
    const rows = all.map(rowOf).filter(row => matches(row, query))
    const from = Number(after) || 0
    const end = from + pageSize
    return {
      columns: [
        { key: 'clients', title: 'Computer' },
        { key: 'state', title: 'State' },
        { key: 'reasons', title: 'Why' },
        { key: 'disks', title: 'Disks' },
        { key: 'time', title: 'Reported', type: 'time' },
      ],
      rows: rows.slice(from, end),
      ...(end < rows.length && { next: String(end) }),
      actions: [
        { title: 'Ask computers', command: 'disk-health-refresh', payload: {}, form: 'page' },
        { title: 'Ask now', command: 'disk-health-refresh', payload: {}, rowKeys: ['clients'] },
      ],
    }
  },
} satisfies View<typeof pack>

const rowOf = ({ client, name, state, reasons, disks, time }: HealthRow) => ({
  name,
  clients: client,
  state,
  reasons: reasons.join(', '),
  disks: disks.map(describeDisk).join(', '),
  time: isoTime(time) ?? null,
})

const matches = (row: ReturnType<typeof rowOf>, query: string) =>
  Object.values(row).some(value => value?.toLowerCase().includes(query.toLowerCase()))
