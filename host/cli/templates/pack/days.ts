// A page of the console, and `fleet view days`.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Jobs per day',
  view: 'page',
  title: 'Jobs per day',
  async data({ collections, after }) {
    const days = await collections.days.list({ after, limit: 100 })
    return {
      columns: [
        { key: 'day', title: 'Day' },
        { key: 'jobs', title: 'Jobs', type: 'number' },
      ],
      rows: days.map(({ key, value }) => ({ day: key, jobs: value.jobs })),
      ...(days.length === 100 && { next: days.at(-1)?.key }),
    }
  },
} satisfies View<typeof pack>
