// Changes the sent fields of a rule.
import type { CommandOf } from 'fleet-host'
import { ruleProblem } from './_checks.ts'
import { ruleFields, ruleName, strict } from './_fields.ts'
import type pack from './pack.ts'

const payload = strict(['rule'], { rule: ruleName, ...ruleFields })

export default {
  summary: 'Change a rule for messages',
  group: 'Notifications',
  example: { rule: 'Failed jobs', urgent: true },
  route: 'POST /notifications/rule/update',
  payload,
  async answer({ payload: { rule, ...change }, collections, services }) {
    const stored = await collections.rules.get(rule)
    if (!stored) return services.refuse(`rule: there is no rule ${rule}`)
    const value = { ...stored.value, ...change }
    const problem = await ruleProblem(value, { collections, services })
    if (problem !== undefined) return services.refuse(problem)
    const version = await collections.rules.put(rule, value, { version: stored.version })
    return version === undefined ? services.refuse('rule: somebody else has just changed it') : undefined
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
