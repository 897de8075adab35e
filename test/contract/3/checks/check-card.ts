// What the last check of a computer has found.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  contract: 3,
  summary: 'Show the last check',
  view: 'computer',
  title: 'Check',
  async data({ client, collections }) {
    const result = await collections.results.get(client)
    if (!result) return undefined
    const { word, runs, key } = result.value
    return [
      { label: 'Last check', value: word, tone: word === 'ok' ? 'good' : 'bad' },
      { label: 'Checks', value: runs },
      { label: 'Key', value: key ?? 'none' },
    ]
  },
} satisfies View<typeof pack>
