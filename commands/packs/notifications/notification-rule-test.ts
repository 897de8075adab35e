// Sends a test message to all targets of a rule.
import type { CommandOf } from 'fleet-host'
import { rulePayload as payload } from './_fields.ts'
import { queueTest } from './_test-message.ts'
import type pack from './pack.ts'

export default {
  summary: 'Send a test message to the targets of a rule',
  group: 'Notifications',
  example: { rule: 'Failed jobs' },
  route: 'POST /notifications/rule/test',
  payload,
  async answer({ payload: { rule }, ...context }) {
    const stored = await context.collections.rules.get(rule)
    if (!stored) return context.services.refuse(`rule: there is no rule ${rule}`)
    return { deliveries: await queueTest(context, rule, stored.value.targets) }
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
