// The page of conflicts, of serial numbers that are none, and of what was pushed to GLPI.
import type { View } from 'fleet-host'
import { pagesOf } from './_asset-facts.ts'
import type { Context, Push } from './_asset-schemas.ts'
import { all, dueOf } from './_pushes.ts'
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
        { key: 'name', title: 'Computer' },
        { key: 'clients', title: 'Address' },
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

type Rights = Parameters<typeof readSerials>[1]

/** Problems first. */
async function readRows(context: Context, rights: Rights) {
  const { collections, services, settings } = context
  const { repeated, junk } = await readSerials(context, rights)
  const outage = (await collections.outage.get('glpi'))?.value
  const pushes = new Map<string, Push>()
  if (settings.glpi.url !== '') for await (const { key, value } of all(collections.pushes)) pushes.set(key, value)
  const rows: ReturnType<typeof rowOf>[] = []
  for await (const found of pagesOf({ columns: 'client,name,room,serial' }, rights, services)) {
    const others = repeated.get(found.client)
    const problem = others ? `the same as of ${others.join(', ')}` : junk.has(found.client) ? 'no serial number' : ''
    const push = pushes.get(found.client)
    rows.push(rowOf(found, problem, push && { ...push, due: Math.max(dueOf(push, context), outage?.due ?? 0) }, outage))
  }
  const rank = ({ problem, reason }: (typeof rows)[number]) => (problem !== '' ? 0 : reason !== '' ? 1 : 2)
  return services.slices.sort(rows, (one, other) => rank(one) - rank(other))
}

interface Found {
  client: string
  name?: string
  room?: string
  serial?: string
}

function rowOf(
  { client, name = '', room = '', serial = '' }: Found,
  problem: string,
  push: (Push & { due: number }) | undefined,
  outage: { reason: string } | undefined,
) {
  const isWaiting = push?.attempts === 0 && push.pushed === undefined
  const state = !push ? '' : push.reason !== undefined ? 'refused' : isWaiting ? 'waits' : 'pushed'
  return {
    name,
    clients: client,
    room,
    serial,
    problem,
    state,
    pushed: timeOf(push?.pushed),
    next: timeOf(push?.due),
    reason: push ? (push.reason ?? outage?.reason ?? '') : '',
  }
}

const timeOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())

const matches = (row: Readonly<Record<string, string | null>>, query: string) =>
  Object.values(row).some(value => value?.toLowerCase().includes(query.toLowerCase()))
