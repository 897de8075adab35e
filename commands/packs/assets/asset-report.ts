// The page of conflicts, of serial numbers that are none, and of what was pushed to GLPI.
import type { Rights, View } from 'fleet-host'
import { pagesOf } from './_asset-facts.ts'
import type { Context, Push } from './_asset-schemas.ts'
import { dueOf } from './_pushes.ts'
import { readSerials } from './_serials.ts'
import type pack from './pack.ts'

/** Rows of a page. */
const pageSize = 500

export default {
  summary: 'Conflicts of serial numbers, and what was pushed to GLPI',
  view: 'page',
  title: 'Assets',
  scoped: true,
  async data({ rights, query, after, ...context }) {
    const rows = (await readRows(context, rights)).filter(row => matches(row, query))
    const from = Number(after) || 0
    const end = from + pageSize
    return {
      columns: [
        { key: 'clients', title: 'Computer' },
        { key: 'room', title: 'Room' },
        { key: 'serial', title: 'Serial number' },
        { key: 'problem', title: 'Problem' },
        { key: 'state', title: 'GLPI' },
        { key: 'pushed', title: 'Last push', type: 'time' },
        { key: 'next', title: 'Next push', type: 'time' },
        { key: 'reason', title: 'Why it was refused' },
      ],
      rows: rows.slice(from, end),
      ...(end < rows.length && { next: String(end) }),
      actions: [
        { title: 'Push computers to GLPI', command: 'push-assets', payload: {}, form: 'page' },
        { title: 'Push now', command: 'push-assets', payload: {}, rowKeys: ['clients'] },
      ],
    }
  },
} satisfies View<typeof pack>

/** Problems first. */
async function readRows(context: Context, rights: Rights) {
  const { collections, services, settings } = context
  const { repeated, junk } = await readSerials(context, rights)
  const outage = (await collections.outage.get('glpi'))?.value
  const pushes = new Map<string, Push>()
  if (settings.glpi.url !== '') for await (const { key, value } of collections.pushes.all()) pushes.set(key, value)
  const rows: Readonly<Record<string, string | null>>[] = []
  const columns = 'client,name,room,serial'
  for await (const { client, name = '', room = '', serial = '' } of pagesOf({ columns }, rights, services)) {
    const others = repeated.get(client)
    const problem = others ? `the same as of ${others.join(', ')}` : junk.has(client) ? 'no serial number' : ''
    const push = pushes.get(client)
    rows.push({ name, clients: client, room, serial, problem, ...(push && pushCells(push, outage, context)) })
  }
  const rank = ({ problem, reason }: (typeof rows)[number]) => (problem ? 0 : reason ? 1 : 2)
  return services.slices.sort(rows, (one, other) => rank(one) - rank(other))
}

function pushCells(push: Push, outage: { due: number; reason: string } | undefined, context: Context) {
  const { pushed, reason } = push
  const due = Math.max(dueOf(push, context), outage?.due ?? 0)
  return {
    state: reason !== undefined ? 'refused' : pushed === undefined ? 'waits' : 'pushed',
    pushed: pushed === undefined ? null : new Date(pushed).toISOString(),
    next: new Date(due).toISOString(),
    reason: reason ?? outage?.reason ?? '',
  }
}

const matches = (row: Readonly<Record<string, string | null>>, query: string) =>
  Object.values(row).some(value => value?.toLowerCase().includes(query.toLowerCase()))
