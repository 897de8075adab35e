// Deletes a target that no rule names.
import type { CommandOf } from 'fleet-host'
import { targetPayload as payload } from './_fields.ts'
import type pack from './pack.ts'

export default {
  summary: 'Delete a target of messages',
  group: 'Notifications',
  example: { target: 'Ticket system' },
  route: 'POST /notifications/target/delete',
  confirm: 'ask',
  payload,
  async answer({ payload: { target }, collections, services }) {
    for await (const { key, value } of collections.rules.all())
      if (value.targets.includes(target)) return services.refuse(`target: the rule ${key} names it`)
    return (await collections.targets.delete(target))
      ? undefined
      : services.refuse(`target: there is no target ${target}`)
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
