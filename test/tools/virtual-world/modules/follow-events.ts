// A hook of the virtual world: logs the stored events that it gets, as a site's own would use them.
import { setTimeout as wait } from 'node:timers/promises'
import type { Hook } from 'fleet-host'

/** Milliseconds of a run, and how often one fails. */
const longestRun = 2000
const failures = 0.1

export default {
  summary: 'Log what is scheduled and has ended',
  on: ['job-finished', 'schedule-added'],
  async run({ events, services }) {
    await wait(Math.random() * longestRun)
    if (Math.random() < failures) throw new Error('a run that fails')
    const names = events.map(event =>
      'job' in event
        ? `${event.type} ${event.job}`
        : 'schedule' in event
          ? `${event.type} ${event.schedule}`
          : event.type,
    )
    services.log.info(`delivered ${names.join(', ')}`)
  },
} satisfies Hook<undefined, 'job-finished' | 'schedule-added'>
