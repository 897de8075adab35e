// Changes the sent fields of a target, and enables it when its receiver had refused messages for ever.
import type { CommandOf } from 'fleet-host'
import { completeTarget, targetProblem } from './_checks.ts'
import { strict, targetFields, targetName } from './_fields.ts'
import type pack from './pack.ts'

const payload = strict(['target'], { target: targetName, ...targetFields })

export default {
  summary: 'Change or enable a target of messages',
  group: 'Notifications',
  example: { target: 'Ticket system', address: 'https://tickets.example/hooks/fleet' },
  route: 'POST /notifications/target/update',
  payload,
  async answer({ payload: { target, ...change }, collections, services }) {
    const stored = await collections.targets.get(target)
    if (!stored) return services.refuse(`target: there is no target ${target}`)
    const { disabled: _, ...value } = completeTarget({ ...stored.value, ...change })
    const problem = targetProblem(value)
    if (problem !== undefined) return services.refuse(problem)
    const version = await collections.targets.put(target, value, { version: stored.version })
    return version === undefined ? services.refuse('target: somebody else has just changed it') : undefined
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
