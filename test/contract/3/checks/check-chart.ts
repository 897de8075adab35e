// Jobs of each name, as a chart.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Chart of jobs',
  view: 'chart',
  title: 'Jobs',
  async data({ collections, from, until, step }) {
    const series = (await collections.jobs.list()).map(({ key, value }) => ({
      title: key,
      points: [from, Math.min(from + step, until)].map(time => ({
        time: new Date(time).toISOString(),
        value: value.count,
      })),
    }))
    return { unit: 'jobs', gap: step * 2, series }
  },
} satisfies View<typeof pack>
