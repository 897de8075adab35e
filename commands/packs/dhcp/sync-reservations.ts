// Syncs the servers where the settings say so: after changes, and from time to time, because a server may have been away.
import type { Hook } from 'fleet-host'
import { changeMilliseconds, syncAll, syncer } from './_sync.ts'
import type pack from './pack.ts'

export default {
  summary: 'Write reservations to DHCP servers',
  every: '5 minutes',
  async run(context) {
    const { services, settings } = context
    if (!settings.automatic) return
    const comparisons = await syncAll(context)
    if (!services.isRefusal(comparisons)) return
    services.log.warn(`nothing is changed: ${comparisons.refused}`)
    services.hooks.run(syncer, services.now() + changeMilliseconds)
  },
} satisfies Hook<typeof pack>
