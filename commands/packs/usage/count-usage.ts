// Counts each minute which computers are on and in use, and what they run.
import type { Hook } from 'fleet-host'
import { timesSeconds } from './_usage-counts.ts'
import { addToHour, hourOf, hourSeconds } from './_usage-hours.ts'
import { countRooms } from './_usage-now.ts'
import type pack from './pack.ts'

/** Seconds between two counts for which the second one stands. Longer, nothing is known of the time: a gap. */
const longest = 150
/** Seconds after a start in which agents connect again. */
const settling = 120

/** Seconds since 1970. */
let started: number | undefined
let last: number | undefined

export default {
  summary: 'Count computers that are on and in use',
  every: '1 minute',
  async run(context) {
    const now = Math.floor(context.services.now() / 1000)
    // The clock may have been set back.
    if (started === undefined || now < started) started = now
    const from = last
    if (from === undefined || now <= from || now - from > longest || now - started < settling) {
      last = now
      return
    }
    const { rooms } = await countRooms(context.services)
    for (let start = from; start < now; ) {
      const until = Math.min(now, (Math.floor(start / hourSeconds) + 1) * hourSeconds)
      await addToHour(context, hourOf(start * 1000), timesSeconds(rooms, until - start), { from: start, until })
      start = until
    }
    last = now
  },
} satisfies Hook<typeof pack>
