// Lists jobs, the newest first, or reads one job with its parts.
import type { CommandOf } from 'fleet-host'
import { jobResults, partStates } from './_schemas/jobs.ts'
import { object } from './_schemas/objects.ts'

const digits = { type: 'string', pattern: '^\\d{0,9}$', expected: 'at most 9 digits' } as const

const query = object({
  'state?': { enum: partStates, description: 'Only jobs with a part in this state', examples: ['failure'] },
  'command?': { type: 'string', description: 'Only jobs with this command' },
  'client?': {
    type: 'string',
    description: 'Only jobs, or parts with their output, of this address',
    examples: ['10.1.1.20'],
  },
  'limit?': { ...digits, description: 'How many jobs, 100 by default', examples: ['10'] },
  'after?': { ...digits, description: 'Of one job: parts after this number, as in `next` of the page before' },
})

export default {
  summary: 'List jobs, or read one with its parts: /jobs/<id>',
  group: 'Jobs and events',
  route: 'GET /jobs',
  heavy: true,
  returns: jobResults,
  scoped: true,
  http: { rest: true },
  query,
  async answer({ services, request: { query, rest, rights } }) {
    const { state, command, client, limit = 100, after = -1 } = query
    if (rest.length > 0) return services.jobs.read(rest.join('/'), { client, after: Number(after) }, rights)
    return { jobs: await services.jobs.list({ state, command, client, limit: Number(limit) }, rights) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof jobResults }>
