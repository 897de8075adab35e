// A page with a line for each month and room: what justifies the computers.
import type { View } from 'fleet-host'
import { dayOf, startOfDay } from './_usage-hours.ts'
import { mayRead, percentUsed, readSlots, roomNames, rowOf } from './_usage-rows.ts'
import type pack from './pack.ts'

/** Months before this one that are shown. */
const months = 12
const mostRows = 1000

export default {
  summary: 'How much each room was used, this month first; gaps count for nothing, see Counted',
  view: 'page',
  title: 'Usage',
  scoped: true,
  async data({ rights, query, ...context }) {
    const { services } = context
    const first = new Date(startOfDay(`${dayOf(services.now()).slice(0, 7)}-01`))
    first.setMonth(first.getMonth() - months)
    const period = { from: first.getTime(), until: services.now() }
    const slots = await readSlots(context, period, 'month', mayRead(rights))
    const nameOf = await roomNames(services)
    const rows = slots.map(slot => {
      const { time, name, computers, observed, on, in_use, logins, boots, failures, kwh } = rowOf(
        slot,
        nameOf(slot.room),
        context,
      )
      const used = percentUsed(slot.counts)
      return { time, name, used, in_use, on, computers, logins, boots, failures, kwh, observed }
    })
    const words = query.toLowerCase()
    const shown = rows.filter(({ time, name }) => `${time} ${name}`.toLowerCase().includes(words))
    return {
      columns: [
        { key: 'time', title: 'Month' },
        { key: 'name', title: 'Room' },
        { key: 'used', title: 'Used (%)', type: 'number' },
        { key: 'in_use', title: 'In use (h)', type: 'number' },
        { key: 'on', title: 'On (h)', type: 'number' },
        { key: 'computers', title: 'Computers', type: 'number' },
        { key: 'logins', title: 'Log-ins', type: 'number' },
        { key: 'boots', title: 'Boots', type: 'number' },
        { key: 'failures', title: 'Failures', type: 'number' },
        { key: 'kwh', title: 'kWh', type: 'number' },
        { key: 'observed', title: 'Counted (h)', type: 'number' },
      ],
      rows: shown
        .sort((one, other) => (one.time === other.time ? other.used - one.used : one.time < other.time ? 1 : -1))
        .slice(0, mostRows),
    }
  },
} satisfies View<typeof pack>
