// Lists jobs, the newest first, or reads one job with its parts.
import type { Command } from 'fleet-host'
import { jobArguments, jobEntry, partEntry } from './_job-entries.ts'
import { jobResults, partStates } from './_job-results.ts'

// How many parts one response has, so that it stays within the response limit.
const pageSize = 500

const digits = { type: 'string', pattern: '^\\d{0,9}$', expected: 'at most 9 digits' } as const

const query = {
  type: 'object',
  properties: {
    state: {
      enum: partStates,
      description: 'Only jobs with a part in this state',
      examples: ['failure'],
    },
    command: { type: 'string', description: 'Only jobs with this command' },
    client: {
      type: 'string',
      description: 'Only jobs, or parts with their output, of this address',
      examples: ['10.1.1.20'],
    },
    limit: { ...digits, description: 'How many jobs, 100 by default', examples: ['10'] },
    after: { ...digits, description: 'Of one job: parts after this number, as in `next` of the page before' },
  },
} as const

export default {
  summary: 'List jobs, or read one with its parts: /jobs/<id>',
  route: 'GET /jobs',
  returns: jobResults,
  rest: true,
  query,
  async answer({ services, request }) {
    const { state, command, client, limit = 100, after = -1 } = request.query
    const [id, ...more] = request.rest
    if (id === undefined) {
      const jobs = await services.store.jobs.list({ state, command, client, limit: Number(limit) })
      return { jobs: jobs.map(jobEntry) }
    }
    const job = /^\d+$/.test(id) && more.length === 0 ? await services.store.jobs.find(Number(id)) : undefined
    if (!job) return services.refuse(`id: there is no job ${request.rest.join('/')}`)
    const page = { after: Number(after), limit: pageSize + 1, client, outputs: client !== undefined }
    const parts = await services.store.jobs.parts(job.id, page)
    const entries = parts.slice(0, pageSize).map(part => {
      const entry = partEntry(job, part)
      if (client === undefined) return entry
      return { ...entry, output: part.output, output_dropped: part.output_dropped }
    })
    const next = parts.length > pageSize ? parts[pageSize - 1]?.index : undefined
    return { ...jobEntry(job), arguments: jobArguments(job), parts: entries, next }
  },
} satisfies Command<undefined, undefined, typeof query>
