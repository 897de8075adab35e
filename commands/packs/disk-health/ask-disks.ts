// Asks connected computers for the health of their disks: each once a day, few at a time.
import type { Hook } from 'fleet-host'
import { markAsked } from './_asked.ts'
import { findDue } from './_due.ts'
import type pack from './pack.ts'

export default {
  summary: 'Ask computers for the health of their disks',
  every: '15 minutes',
  async run(context) {
    const { collections, services } = context
    const idle = services.fleet.clients().filter(({ state }) => state !== 'WOL_SENT' && state !== 'BSY')
    const known = await services.store.computers.findMany(idle.map(({ addr }) => addr))
    const asked = new Map<string, number>()
    for await (const { key, value } of collections.computers.all()) asked.set(key, value.asked)
    const connected = known.filter(({ maintenance }) => !maintenance).map(({ ip }) => ip)
    const clients = findDue(connected, asked, services.now())
    if (clients.length === 0) return
    // First: what refuses to be asked waits for the next day, too.
    await markAsked(clients, context)
    const job = await services.jobs.run({ command: 'disk-health-refresh', clients })
    if (services.isRefusal(job)) services.log.warn(`computers are not asked: ${job.refused}`)
  },
} satisfies Hook<typeof pack>
