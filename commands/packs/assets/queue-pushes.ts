// Has changed computers pushed to GLPI soon.
import type { Hook } from 'fleet-host'
import { changeMilliseconds, markDue, pusher } from './_pushes.ts'
import type pack from './pack.ts'

export default {
  summary: 'Have changed computers pushed to GLPI',
  on: ['computer-added', 'computer-changed', 'computer-removed'],
  async run(context) {
    const { events, settings, collections, services } = context
    if (settings.glpi.url === '') return
    const changed = new Set<string>()
    for (const event of events) {
      // Those are found by the next round.
      if (event.type === 'events-missing') continue
      for (const client of event.clients) {
        if (event.type === 'computer-removed') {
          changed.delete(client)
          await collections.pushes.delete(client)
        } else changed.add(client)
      }
    }
    if (changed.size === 0) return
    const due = services.now() + changeMilliseconds
    await markDue([...changed], due, context)
    services.hooks.run(pusher, due)
  },
} satisfies Hook<typeof pack, 'computer-added' | 'computer-changed' | 'computer-removed'>
