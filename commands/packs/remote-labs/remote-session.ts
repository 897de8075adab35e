// Marks computers that are lent.
import type { View } from 'fleet-host'
import { allReservations } from './_reservations.ts'
import type pack from './pack.ts'

export default {
  summary: 'Marks lent computers',
  view: 'client-badge',
  title: 'Remote session',
  access: 'read',
  async data({ collections, clients }) {
    const badges = new Map<string, { text: string; tone: 'neutral'; title: string }>()
    const shown = new Set(clients)
    for (const { key: ip, value } of await allReservations(collections)) {
      const { state, broker, user } = value
      if (state !== 'reserved' || !shown.has(ip)) continue
      const title = user ? `lent to ${user} through ${broker}` : `reserved for ${broker}`
      badges.set(ip, { text: 'remote', tone: 'neutral', title })
    }
    return badges
  },
} satisfies View<typeof pack>
