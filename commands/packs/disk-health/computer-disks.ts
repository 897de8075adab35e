// The disks and full file systems of a computer, on its page.
import type { View, ViewRow } from 'fleet-host'
import { reasonsOf, tones } from './_health-rows.ts'
import type { Context, DiskHealth } from './_health-schemas.ts'
import { describeDisk, keyOf } from './_reports.ts'
import type pack from './pack.ts'

export default {
  summary: 'The health of the disks of a computer',
  view: 'computer',
  title: 'Disk health',
  async data({ client, ...context }) {
    const health = (await context.collections.computers.get(client))?.value
    if (!health) return undefined
    const rows: ViewRow[] = []
    for (const disk of health.disks) rows.push(...(await rowsOf(client, disk, context)))
    if (health.disks.length === 0) rows.push({ label: 'Disks', value: reasonsOf(health).join(', ') })
    for (const { mount, percent, free } of health.filesystems.slice(0, 20)) {
      const isFull = context.settings.full > 0 && percent >= context.settings.full
      const value = `${percent} % full, ${(free / 1024).toFixed(1)} GiB free`
      rows.push({ label: mount, value, ...(isFull && { tone: 'warning' as const }) })
    }
    if (health.time !== undefined)
      rows.push({
        label: 'Reported',
        value: `${new Date(health.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      })
    return rows.slice(0, 100)
  },
} satisfies View<typeof pack>

async function rowsOf(client: string, disk: DiskHealth, { collections }: Context): Promise<ViewRow[]> {
  const { state, reasons, values } = disk
  const value = reasons.length === 0 ? state : `${state}: ${reasons.join(', ')}`
  const [first] = (await collections.history.get(keyOf(client, disk)))?.value.points ?? []
  const facts = [
    values.temperature !== undefined && `${values.temperature} °C`,
    values.hours !== undefined && `on for ${values.hours} hours`,
    values.wear !== undefined && `${values.wear} % of its life used`,
    values.reallocated !== undefined && `${values.reallocated} sectors replaced${since(first, values)}`,
  ].filter(fact => fact !== false)
  const label = describeDisk(disk)
  const more = facts.length === 0 ? [] : [{ label: `${disk.name}: values`, value: facts.join(', ') }]
  return [{ label, value, tone: tones[state] }, ...more]
}

function since(
  first: { day: string; reallocated?: number } | undefined,
  { reallocated }: DiskHealth['values'],
): string {
  const isOther = first?.reallocated !== undefined && first.reallocated !== reallocated
  return isOther ? ` (${first.reallocated} on ${first.day})` : ''
}
