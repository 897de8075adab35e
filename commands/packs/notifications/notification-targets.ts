// Answers the targets, without addresses and secrets.
import type { CommandOf } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Targets of messages',
  group: 'Notifications',
  route: 'GET /notifications/targets',
  async answer({ collections }) {
    const targets: object[] = []
    for await (const { key, value } of collections.targets.all()) {
      const { address: _, secret: __, ...shown } = value
      targets.push({ target: key, ...shown })
    }
    return { targets }
  },
} satisfies CommandOf<{ pack: typeof pack }>
