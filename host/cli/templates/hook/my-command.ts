// Writes a line into the log for each job that failed somewhere.
import type { Hook } from 'fleet-host'

export default {
  summary: 'Log failed jobs',
  // See `GET /events` for all types. A run gets all events since the last one; a run that throws is repeated.
  on: ['job-finished'],
  run({ events, services }) {
    for (const event of events) {
      // After a crash, or when too many events waited.
      if (event.type === 'events-missing') services.log.warn(`jobs between ${event.since} and ${event.until} not seen`)
      else if (event.counts?.failure) services.log.warn(`${event.name}: ${event.counts.failure} failed`)
    }
  },
} satisfies Hook<undefined, 'job-finished'>
