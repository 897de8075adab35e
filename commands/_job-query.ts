// The schema of the query of jobs.
import { partStates } from './_job-results.ts'

const digits = { type: 'string', pattern: '^\\d{0,9}$', expected: 'at most 9 digits' } as const

export const query = {
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
