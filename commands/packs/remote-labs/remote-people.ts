// Follows what happens on lent computers: they connect, people log in and out, and scheduled work begins.
import type { Hook } from 'fleet-host'
import { login, logout } from './_people.ts'
import { boot, endReservation } from './_reservations.ts'
import type pack from './pack.ts'

const on = ['client-ready', 'session-login', 'session-logout', 'job-created'] as const

export default {
  summary: 'Follow lent computers',
  on: [...on],
  async run({ events, ...context }) {
    const { collections, settings } = context
    for (const event of events) {
      if (event.type === 'events-missing') continue
      if (event.type === 'job-created') {
        if (event.origin !== 'schedule' || settings.schedule_minutes === 0) continue
        const ending = { why: `scheduled: ${event.name}`, off: false }
        for (const ip of event.clients) await endReservation(context, ip, ending)
        continue
      }
      const [ip = ''] = event.clients
      if (event.type === 'client-ready') {
        const stored = await collections.reservations.get(ip)
        if (stored?.value.state === 'reserved' && stored.value.boot !== 'done') await boot(context, ip, stored.value)
      } else if (!(await collections.agents.get(ip))) {
        // An agent that reports to this pack itself says more of the same person.
        if (event.type === 'session-login') await login(context, ip, event.user ?? '', false)
        else await logout(context, ip)
      }
    }
  },
} satisfies Hook<typeof pack, (typeof on)[number]>
