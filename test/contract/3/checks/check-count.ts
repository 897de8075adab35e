// How many checks there have been.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Count checks',
  view: 'overview',
  title: 'Checks',
  access: 'operate',
  async data({ collections, services }) {
    const count = (await collections.jobs.get('check-run'))?.value.count
    const time = new Date(services.now()).toISOString()
    return (
      (count && { value: count, unit: 'checks', tone: 'neutral' as const, points: [{ time, value: count }] }) ||
      undefined
    )
  },
} satisfies View<typeof pack>
