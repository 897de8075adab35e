// A chart of how many computers of each room were in use.
import type { View } from 'fleet-host'
import { roomNames } from './_usage-rows.ts'
import { chartOf } from './_usage-series.ts'
import type pack from './pack.ts'

export default {
  summary:
    'Computers on which somebody was logged in, on average of each hour; where a line is interrupted nothing is known',
  view: 'chart',
  title: 'Usage: rooms',
  scoped: true,
  async data({ rights, from, until, ...context }) {
    const nameOf = await roomNames(context.services)
    const chart = await chartOf(context, rights, { from, until }, ({ room, observed, counts: { use = 0 } }) => [
      [nameOf(room), use / observed],
    ])
    return { ...chart, unit: 'computers' }
  },
} satisfies View<typeof pack>
