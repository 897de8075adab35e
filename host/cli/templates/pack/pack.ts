// Counts what people start, for each day.
import type { Pack } from 'fleet-host'

export default {
  contract: 3,
  summary: 'Jobs per day',
  version: '0.1.0',
  // The console and `fleet pack settings my-command` make a form of it.
  settings: {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, default: [], description: 'commands; empty: all' },
    },
  },
  collections: {
    // Documents, one per day.
    days: { type: 'object', required: ['jobs'], properties: { jobs: { type: 'integer' } } },
  },
} as const satisfies Pack
