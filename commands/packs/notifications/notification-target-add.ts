// Adds a target: where messages go. The secret of a webhook is answered once, when it was made here.
import type { CommandOf } from 'fleet-host'
import { completeTarget, targetProblem } from './_checks.ts'
import { kind, strict, targetFields, targetName } from './_fields.ts'
import type pack from './pack.ts'

const payload = strict(['target', 'kind'], { target: targetName, kind, ...targetFields })

export default {
  summary: 'Add a target of messages',
  group: 'Notifications',
  example: { target: 'Ticket system', kind: 'webhook', address: 'https://tickets.example/hooks/fleet' },
  route: 'POST /notifications/target/add',
  payload,
  async answer({ payload: { target, ...fields }, collections, services }) {
    const value = completeTarget(fields)
    const problem = targetProblem(value)
    if (problem !== undefined) return services.refuse(problem)
    const stored = await collections.targets.put(target, value, { version: 0 })
    if (stored === undefined) return services.refuse(`target: there is one with the name ${target}`)
    return value.secret === fields.secret ? undefined : { secret: value.secret }
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
