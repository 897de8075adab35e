// Answers all checks as CSV, those of a word by the query.
import type { CommandOf } from 'fleet-host'
import type pack from './pack.ts'

const query = {
  type: 'object',
  properties: { word: { type: 'string', pattern: '^[a-z]+$', expected: 'letters' } },
} as const

export default {
  contract: 3,
  summary: 'List checks',
  route: 'GET /checks',
  scoped: true,
  heavy: true,
  query,
  mediaType: 'text/csv',
  async answer({ collections, services, request }) {
    const lines = [services.csvRecord(['client', 'word'])]
    for await (const { key, value } of collections.results.all()) {
      const isNamed = request.query.word === undefined || request.query.word === value.word
      if (isNamed && request.rights.hasClient(key)) lines.push(services.csvRecord([key, value.word]))
    }
    return services.text('text/csv', lines.join(''))
  },
} satisfies CommandOf<{ query: typeof query; pack: typeof pack }>
