// Reads the audit log: who has written what, and from where.
import type { Command } from 'fleet-host'
import { auditResult } from './_schemas/accounts.ts'
import { object } from './_schemas/objects.ts'

/** Records of a page. */
const defaultLimit = 100

const query = object({
  'since?': {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{3})?)?Z)?$',
    expected: 'an ISO time in UTC',
    description: 'Only records from this time on; the last day when there is neither `since` nor `after`',
    examples: ['2026-09-14T08:00:00Z'],
  },
  'who?': { type: 'string', description: 'Only records of this caller: `token lab`, or `lab`', examples: ['lab'] },
  'route?': {
    type: 'string',
    description: 'Only this route or path, or paths that begin with it',
    examples: ['/task'],
  },
  'limit?': {
    type: 'string',
    pattern: '^([1-9]\\d{0,2}|1000)$',
    expected: '1 to 1000',
    description: `How many records at most, ${defaultLimit} by default`,
    examples: ['100'],
  },
  'after?': {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}\\.\\d{1,15}$',
    expected: 'the `next` of a page',
    description: 'Records after this one: `next` of the page before',
  },
})

export default {
  summary: 'Read who has written what, the oldest record first',
  group: 'Access',
  route: 'GET /audit',
  heavy: true,
  access: 'admin',
  returns: auditResult,
  query,
  async answer({ services, request: { query } }) {
    const { since, who, route, limit = defaultLimit, after } = query
    const time = since === undefined ? undefined : Date.parse(since)
    if (Number.isNaN(time)) return services.refuse(`?since: expected an ISO time in UTC, got ${since}`)
    const from = time === undefined ? undefined : new Date(time).toISOString()
    return services.audit.read({ since: from, who, route, limit: Number(limit), after })
  },
} satisfies Command<undefined, undefined, typeof query>
