// All checks, with what can be done with each.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'List checks',
  view: 'page',
  title: 'Checks',
  scoped: true,
  async data({ collections, rights, query, after }) {
    const results = await collections.results.list({ prefix: query, after, limit: 1 })
    return {
      columns: [
        { key: 'client', title: 'Computer' },
        { key: 'word', title: 'Result', type: 'text' },
        { key: 'runs', title: 'Checks', type: 'number' },
      ],
      rows: results
        .filter(({ key }) => rights.hasClient(key))
        .map(({ key, value }) => ({ client: key, clients: key, word: value.word, runs: value.runs })),
      ...(results.length === 1 && { next: results[0]?.key }),
      actions: [
        { title: 'Check again', command: 'check-run', payload: { number: '7' }, rowKeys: ['clients'] },
        { title: 'Other check', command: 'check-run', payload: {}, rowKeys: ['clients'], form: 'row' },
        { title: 'Check computers', command: 'check-run', payload: {}, form: 'page' },
      ],
    }
  },
} satisfies View<typeof pack>
