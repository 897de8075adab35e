// Sends a test message to a target.
import type { CommandOf } from 'fleet-host'
import { targetPayload as payload } from './_fields.ts'
import { queueTest } from './_test-message.ts'
import type pack from './pack.ts'

export default {
  summary: 'Send a test message to a target',
  group: 'Notifications',
  example: { target: 'Ticket system' },
  route: 'POST /notifications/target/test',
  payload,
  async answer({ payload: { target }, ...context }) {
    const stored = await context.collections.targets.get(target)
    if (!stored) return context.services.refuse(`target: there is no target ${target}`)
    return { deliveries: await queueTest(context, '', [target]) }
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
