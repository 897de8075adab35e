// A chart of the power that the computers of each room take, by the watts in the settings.
import type { View } from 'fleet-host'
import { kwhOf } from './_usage-counts.ts'
import { hourSeconds } from './_usage-hours.ts'
import { roomNames } from './_usage-rows.ts'
import { chartOf } from './_usage-series.ts'
import type pack from './pack.ts'

export default {
  summary: 'Power by the watts in the settings, on average of each hour; the page Usage has kWh',
  view: 'chart',
  title: 'Usage: energy',
  scoped: true,
  async data({ rights, from, until, ...context }) {
    const nameOf = await roomNames(context.services)
    const chart = await chartOf(context, rights, { from, until }, ({ room, observed, counts }) => [
      [nameOf(room), kwhOf(room, counts, context.settings) / (observed / hourSeconds)],
    ])
    return { ...chart, unit: 'kW' }
  },
} satisfies View<typeof pack>
