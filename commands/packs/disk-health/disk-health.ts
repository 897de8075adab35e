// Answers the health of the disks of computers: a page as JSON, of one computer with its history, or all disks as CSV.
import type { CommandOf, FromSchema } from 'fleet-host'
import { csvOf } from './_health-csv.ts'
import { type HealthRow, readRows } from './_health-rows.ts'
import { type Context, collections, computer, disk, state } from './_health-schemas.ts'
import { keyOf } from './_reports.ts'
import type pack from './pack.ts'

const query = {
  type: 'object',
  properties: {
    state: { ...state, description: 'only computers in this state' },
    client: { type: 'string', maxLength: 15, description: 'only this one, with the history of its disks' },
    limit: { type: 'string', pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$', description: 'at most so many; default: 100' },
    after: { type: 'string', maxLength: 15, description: '`next` of the page before' },
    format: { enum: ['json', 'csv'], description: '`csv`: all disks as CSV' },
  },
} as const

const time = { type: 'string', description: 'absent: never', examples: ['2026-03-02T08:00:00.000Z'] } as const
const entry = {
  type: 'object',
  required: ['client', 'name', 'state', 'reasons', 'disks', 'filesystems'],
  properties: {
    client: { type: 'string', examples: ['10.1.1.20'] },
    name: { type: 'string', examples: ['pc-20'] },
    time,
    state,
    reasons: computer.properties.reasons,
    disks: {
      type: 'array',
      items: {
        ...disk,
        properties: { ...disk.properties, time, history: collections.history.properties.points },
      },
    },
    filesystems: computer.properties.filesystems,
  },
} as const

const returns = {
  type: 'object',
  required: ['computers'],
  properties: {
    computers: { type: 'array', items: entry },
    next: { type: 'string', description: 'for `after`, when more follow', examples: ['10.1.1.20'] },
  },
} as const

export default {
  summary: 'List computers with the health of their disks',
  group: 'Disk health',
  route: 'GET /disk-health',
  returns,
  scoped: true,
  heavy: true,
  query,
  async answer({ request: { query, rights }, payload: _, ...context }) {
    const { limit = '100', after = '', client } = query
    const all = await readRows(context, rights, query.state)
    const rows = client === undefined ? all : all.filter(row => row.client === client)
    if (query.format === 'csv') return context.services.text('text/csv; charset=utf-8', csvOf(rows, context))
    const following = rows.filter(row => row.client > after)
    const page = following.slice(0, Number(limit))
    const computers: FromSchema<typeof entry>[] = []
    for (const row of page) computers.push(await entryOf(row, client !== undefined, context))
    const next = following.length > page.length ? page.at(-1)?.client : undefined
    return { computers, ...(next !== undefined && { next }) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns; pack: typeof pack }>

async function entryOf({ asked: _, time, disks, ...row }: HealthRow, withHistory: boolean, { collections }: Context) {
  const shown: FromSchema<typeof entry>['disks'] = []
  for (const { time: said, ...each } of disks) {
    const { points: history } = (withHistory && (await collections.history.get(keyOf(row.client, each)))?.value) || {}
    shown.push({ ...each, ...shownTime(said), ...(history && { history }) })
  }
  return { ...row, ...shownTime(time), disks: shown }
}

const shownTime = (time: number | undefined) => (time === undefined ? {} : { time: new Date(time).toISOString() })
