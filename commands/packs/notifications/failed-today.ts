// How many messages have failed today: those that were given up, and those that will be tried again.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Messages that could not be sent today',
  view: 'overview',
  title: 'Messages not sent today',
  async data({ collections, services }) {
    const today = new Date(services.now()).setHours(0, 0, 0, 0)
    let failed = 0
    for await (const { value } of collections.queue.all()) if (value.error !== undefined) failed += 1
    for await (const { value } of collections.log.all())
      if (value.state === 'failed' && (value.ended ?? 0) >= today) failed += 1
    return { value: failed, tone: failed > 0 ? 'bad' : 'good' }
  },
} satisfies View<typeof pack>
