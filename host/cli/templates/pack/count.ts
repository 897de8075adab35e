// Counts jobs when they have finished.
import type { Hook } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Count jobs',
  on: ['job-finished'],
  async run({ events, settings, collections }) {
    const { names } = settings
    for (const event of events) {
      if (event.type === 'events-missing' || (names.length > 0 && !names.includes(event.name))) continue
      const day = event.time.slice(0, 10)
      const before = await collections.days.get(day)
      await collections.days.put(day, { jobs: (before?.value.jobs ?? 0) + 1 })
    }
  },
} satisfies Hook<typeof pack, 'job-finished'>
