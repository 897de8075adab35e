// A page with the hours of the day: when the rooms are full, and when nobody needs them.
import type { View } from 'fleet-host'
import { addCounts } from './_usage-counts.ts'
import { dayOf, startOfDay } from './_usage-hours.ts'
import { mayRead, percentUsed, readSlots } from './_usage-rows.ts'
import type { Counts } from './_usage-schemas.ts'
import type pack from './pack.ts'

const days = 28

interface HourOfDay {
  workdays: Counts
  weekends: Counts
}

export default {
  summary: `The hours of the day in the last ${days} days: the part of the computers on which somebody was logged in`,
  view: 'page',
  title: 'Usage: hours of the day',
  scoped: true,
  async data({ rights, ...context }) {
    const now = context.services.now()
    const period = { from: startOfDay(dayOf(now), -days), until: now }
    const hours = Array.from({ length: 24 }, (): HourOfDay => ({ workdays: {}, weekends: {} }))
    for (const { time, counts } of await readSlots(context, period, 'hour', mayRead(rights))) {
      const date = new Date(time)
      const hour = hours[date.getHours()]
      const isWeekend = date.getDay() === 0 || date.getDay() === 6
      if (hour) addCounts(isWeekend ? hour.weekends : hour.workdays, counts)
    }
    const used = (counts: Counts) => (counts.has === undefined ? null : percentUsed(counts))
    const words = (hour: number) => `${String(hour).padStart(2, '0')}:00`
    return {
      columns: [
        { key: 'hour', title: 'Hour' },
        { key: 'workdays', title: 'Monday to Friday (%)', type: 'number' },
        { key: 'weekends', title: 'Weekend (%)', type: 'number' },
        { key: 'logins', title: 'Log-ins', type: 'number' },
      ],
      rows: hours.map(({ workdays, weekends }, hour) => ({
        hour: words(hour),
        workdays: used(workdays),
        weekends: used(weekends),
        logins: (workdays.logins ?? 0) + (weekends.logins ?? 0),
      })),
    }
  },
} satisfies View<typeof pack>
