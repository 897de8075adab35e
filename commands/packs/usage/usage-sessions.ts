// A page with who was logged in where, when the setting `sessions_days` has it kept.
import type { View } from 'fleet-host'
import { listSessions } from './_raw-sessions.ts'
import type pack from './pack.ts'

const pageSize = 500
const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())

export default {
  summary: 'Who was logged in where, for the days in the setting sessions_days',
  view: 'page',
  title: 'Usage: sessions',
  access: 'admin',
  scoped: true,
  async data({ rights, query, after, ...context }) {
    const words = query.toLowerCase()
    const all = await listSessions(context, ip => rights.hasClient(ip))
    const found = all.filter(({ client, user }) => `${client} ${user}`.toLowerCase().includes(words))
    const from = Number(after) || 0
    const end = from + pageSize
    return {
      columns: [
        { key: 'clients', title: 'Computer' },
        { key: 'user', title: 'User' },
        { key: 'since', title: 'Since', type: 'time' },
        { key: 'until', title: 'Until', type: 'time' },
      ],
      rows: found.slice(from, end).map(({ client, user, since, until }) => ({
        clients: client,
        user,
        since: iso(since),
        until: iso(until),
      })),
      ...(end < found.length && { next: String(end) }),
    }
  },
} satisfies View<typeof pack>
