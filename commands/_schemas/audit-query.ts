// The schema of the query that selects records of the audit log.
import { object } from './objects.ts'

/** Records of a page. */
export const auditLimit = 100

export const auditQuery = object({
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
    description: `How many records at most, ${auditLimit} by default`,
    examples: ['100'],
  },
  'after?': {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}\\.\\d{1,15}$',
    expected: 'the `next` of a page',
    description: 'Records after this one: `next` of the page before',
  },
})
