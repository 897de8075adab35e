// Reports what became of each computer of a job: who has the image, who not, and why.
import type { Command } from 'fleet-host'
import { countOutcomes, hasIt } from './_computer-outcome.ts'
import { insideClients } from './_inside.ts'
import { countRooms, endOf } from './_report-counts.ts'
import { reportResult } from './_report-results.ts'
import { allParts, reportRows } from './_report-rows.ts'

/** Computers of one response, so that it stays within the response limit. */
const pageSize = 500

const digits = { type: 'string', pattern: '^\\d{1,15}$', expected: 'digits' } as const
const query = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { ...digits, description: 'Id of the job', examples: ['1'] },
    only: { enum: ['missing'], description: 'Only computers that do not have it, or not confirmed' },
    after: { ...digits, description: '`next` of the page before' },
  },
} as const

export default {
  summary: 'Report who has the image of a job, who not, and why: ?id=',
  group: 'Jobs and events',
  route: 'GET /job/report',
  heavy: true,
  returns: reportResult,
  scoped: true,
  query,
  async answer({ services, request: { query, rights } }) {
    const { store, refuse } = services
    const centers = await store.scopes()
    const clients = rights.isLimited ? insideClients(centers, rights) : undefined
    const job = await store.jobs.find(Number(query.id), clients)
    if (!job && rights.isLimited) return refuse('id: expected a job with computers of the token', 403)
    if (!job) return refuse(`id: there is no job ${query.id}`)
    const parts = await allParts(store, job.id, clients)
    const rows = await reportRows(job, parts, centers, services.slices)
    const listed = query.only ? rows.filter(row => !hasIt(row) || row.unconfirmed) : rows
    const from = Number(query.after ?? 0)
    const next = from + pageSize
    return {
      id: job.id,
      name: job.name,
      created: new Date(job.created).toISOString(),
      ended: endOf(parts),
      ...countOutcomes(rows),
      rooms: await countRooms(rows, services.slices),
      computers: listed.slice(from, next),
      next: next < listed.length ? next : undefined,
    }
  },
} satisfies Command<undefined, undefined, typeof query>
