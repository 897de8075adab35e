// A mark on computers whose disks are failing or wear out, or are full.
import type { View, ViewBadge } from 'fleet-host'
import { tones } from './_health-rows.ts'
import type pack from './pack.ts'

export default {
  summary: 'Computers whose disks need attention',
  view: 'client-badge',
  title: 'Disk health',
  async data({ clients, collections }) {
    const marks = new Map<string, ViewBadge>()
    const asked = new Set(clients)
    for await (const { key, value } of collections.computers.all()) {
      const { state, reasons } = value
      if (!asked.has(key) || state === 'ok' || state === 'unknown') continue
      const text = state === 'failing' ? 'disk failing' : 'disk'
      marks.set(key, { text, tone: tones[state], title: reasons.join(', ').slice(0, 200) })
    }
    return marks
  },
} satisfies View<typeof pack>
