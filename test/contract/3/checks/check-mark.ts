// Marks computers whose check has failed.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Mark failed checks',
  view: 'client-badge',
  title: 'Check',
  async data({ clients, collections }) {
    const results = await Promise.all(clients.map(client => collections.results.get(client)))
    const failed = clients.filter((_, index) => results[index] && results[index]?.value.word !== 'ok')
    return new Map(failed.map(client => [client, { text: '!', tone: 'bad', title: 'the check has failed' }] as const))
  },
} satisfies View<typeof pack>
