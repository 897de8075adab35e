// A chart of what the computers run.
import type { View } from 'fleet-host'
import { chartOf } from './_usage-series.ts'
import type pack from './pack.ts'

const titles = [
  ['live', 'Live system'],
  ['linux', 'Linux'],
  ['windows', 'Windows'],
  ['virtual', 'Virtual desktop'],
] as const

export default {
  summary: 'Computers by what they ran, on average of each hour',
  view: 'chart',
  title: 'Usage: systems',
  scoped: true,
  async data({ rights, from, until, ...context }) {
    const chart = await chartOf(context, rights, { from, until }, ({ observed, counts }) =>
      titles.map(([key, title]) => [title, (counts[key] ?? 0) / observed]),
    )
    return { ...chart, unit: 'computers' }
  },
} satisfies View<typeof pack>
