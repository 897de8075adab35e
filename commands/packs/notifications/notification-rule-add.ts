// Adds a rule: which events become messages, and for whom.
import type { CommandOf } from 'fleet-host'
import { ruleProblem } from './_checks.ts'
import { ruleFields, ruleName, strict } from './_fields.ts'
import type pack from './pack.ts'

const payload = strict(['rule', 'events', 'targets'], { rule: ruleName, ...ruleFields })

export default {
  summary: 'Add a rule for messages',
  group: 'Notifications',
  example: { rule: 'Failed jobs', events: ['job-finished'], targets: ['Ticket system'] },
  route: 'POST /notifications/rule/add',
  payload,
  async answer({ payload: { rule, ...fields }, collections, services }) {
    const value = { rooms: [], outcome: 'failure', urgent: false, ...fields } as const
    const problem = await ruleProblem({ ...value, rooms: [...value.rooms] }, { collections, services })
    if (problem !== undefined) return services.refuse(problem)
    const stored = await collections.rules.put(rule, { ...value, rooms: [...value.rooms] }, { version: 0 })
    return stored === undefined ? services.refuse(`rule: there is one with the name ${rule}`) : undefined
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
