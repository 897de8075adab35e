// Answers the rules, with how often each has matched.
import type { CommandOf } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Rules for messages',
  group: 'Notifications',
  route: 'GET /notifications/rules',
  async answer({ collections }) {
    const rules: object[] = []
    for await (const { key, value } of collections.rules.all()) {
      const { count = 0, last } = (await collections.matches.get(key))?.value ?? {}
      const matched = last === undefined ? {} : { last_match: new Date(last).toISOString() }
      rules.push({ rule: key, ...value, matches: count, ...matched })
    }
    return { rules }
  },
} satisfies CommandOf<{ pack: typeof pack }>
