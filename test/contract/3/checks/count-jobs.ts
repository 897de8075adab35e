// Counts jobs that have ended, and forgets computers that are gone.
import type { Hook } from 'fleet-host'
import type pack from './pack.ts'

export default {
  contract: 3,
  summary: 'Count jobs',
  on: ['job-finished', 'computer-removed'],
  async run({ events, collections, services }) {
    for (const event of events) {
      if (event.type === 'events-missing') services.log.warn(`nothing is known from ${event.since} to ${event.until}`)
      else if (event.type === 'computer-removed') {
        for (const client of event.clients) await collections.results.delete(client)
      } else {
        const before = await collections.jobs.get(event.name)
        await collections.jobs.put(event.name, { count: (before?.value.count ?? 0) + 1 })
      }
    }
  },
} satisfies Hook<typeof pack, 'job-finished' | 'computer-removed'>
