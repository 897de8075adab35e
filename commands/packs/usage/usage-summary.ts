// The card of the first page: how much of this month's time somebody was logged in.
import type { View } from 'fleet-host'
import { addCounts } from './_usage-counts.ts'
import { dayOf, startOfDay } from './_usage-hours.ts'
import { mayRead, percentUsed, readSlots } from './_usage-rows.ts'
import type { Counts } from './_usage-schemas.ts'
import type pack from './pack.ts'

export default {
  summary: 'The part of all computers on which somebody was logged in, this month and by the day',
  view: 'overview',
  title: 'Used this month',
  scoped: true,
  async data({ rights, ...context }) {
    const now = context.services.now()
    const month = { from: startOfDay(`${dayOf(now).slice(0, 7)}-01`), until: now }
    const sum: Counts = {}
    const days = new Map<string, Counts>()
    for (const { time, counts } of await readSlots(context, month, 'day', mayRead(rights))) {
      addCounts(sum, counts)
      const day = days.get(time) ?? {}
      addCounts(day, counts)
      days.set(time, day)
    }
    if (sum.has === undefined) return undefined
    const points = Array.from(days, ([day, counts]) => ({
      time: new Date(startOfDay(day)).toISOString(),
      value: percentUsed(counts),
    }))
    return { value: percentUsed(sum), unit: '%', points }
  },
} satisfies View<typeof pack>
