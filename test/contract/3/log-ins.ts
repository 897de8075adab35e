// Counts log-ins, with a collection of its own.
import type { Hook } from 'fleet-host'

const own = {
  collections: { users: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } } },
} as const

export default {
  ...own,
  summary: 'Count log-ins',
  on: ['session-login', 'pack-alert'],
  async run({ events, collections, services }) {
    for (const event of events) {
      if (event.type === 'pack-alert') services.log.info(`${event.alert} of ${event.clients}: ${event.text}`)
      if (event.type !== 'session-login') continue
      const user = event.user ?? 'somebody'
      const before = await collections.users.get(user)
      await collections.users.put(user, { count: (before?.value.count ?? 0) + 1 })
    }
  },
} satisfies Hook<typeof own, 'session-login' | 'pack-alert'>
