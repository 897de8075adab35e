// Deletes a rule. What it has queued is sent all the same.
import type { CommandOf } from 'fleet-host'
import { rulePayload as payload } from './_fields.ts'
import type pack from './pack.ts'

export default {
  summary: 'Delete a rule for messages',
  group: 'Notifications',
  example: { rule: 'Failed jobs' },
  route: 'POST /notifications/rule/delete',
  confirm: 'ask',
  payload,
  async answer({ payload: { rule }, collections, services }) {
    await collections.matches.delete(rule)
    return (await collections.rules.delete(rule)) ? undefined : services.refuse(`rule: there is no rule ${rule}`)
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
