// Makes days of hours, and deletes what is older than the settings say.
import type { Hook } from 'fleet-host'
import { deleteOldSessions } from './_raw-sessions.ts'
import { between, dayOf, hourOf, lastDay, makeDays, startOfDay } from './_usage-hours.ts'
import type pack from './pack.ts'

/** Documents that one run deletes. */
const mostDeleted = 1000

export default {
  summary: 'Make days of hours, and delete what is old',
  every: '1 hour',
  async run(context) {
    const { collections, services, settings } = context
    await deleteOldSessions(context)
    await makeDays(context)
    const last = await lastDay(context)
    if (last === '') return
    // Never an hour that is not in a day yet.
    const oldest = startOfDay(dayOf(services.now()), -settings.hours_days)
    const end = hourOf(Math.min(oldest, startOfDay(last, 1)))
    let deleted = 0
    for await (const { key } of between(collections.hours, '', end)) {
      await collections.hours.delete(key)
      deleted += 1
      if (deleted >= mostDeleted) return
    }
  },
} satisfies Hook<typeof pack>
