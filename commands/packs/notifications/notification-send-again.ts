// Sends a message of the log again, or one that waits at once.
import type { CommandOf } from 'fleet-host'
import { strict } from './_fields.ts'
import { sender } from './_sender.ts'
import type pack from './pack.ts'

const delivery = { type: 'string', minLength: 1, maxLength: 256, description: 'as the view deliveries has it' } as const
const payload = strict(['delivery'], { delivery })

export default {
  summary: 'Send a message again',
  group: 'Notifications',
  example: { delivery: '1767225600000-0123456789abcdef' },
  route: 'POST /notifications/delivery/again',
  payload,
  async answer({ payload: { delivery }, collections, services }) {
    const due = services.now()
    const waiting = await collections.queue.get(delivery)
    if (waiting) await collections.queue.put(delivery, { ...waiting.value, due }, { version: waiting.version })
    else {
      const logged = await collections.log.get(delivery)
      if (!logged) return services.refuse(`delivery: there is no delivery ${delivery}`)
      const { state: _, ended: __, error: ___, ...value } = logged.value
      // Another one: its receiver has perhaps confirmed the first.
      const key = `${String(due).padStart(13, '0')}-${delivery.slice(-16)}-again`
      await collections.queue.put(key, { ...value, due, attempts: 0, urgent: true }, { version: 0 })
    }
    services.hooks.run(sender)
    return undefined
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
