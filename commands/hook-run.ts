// Runs a hook of every or cron now, besides its times.
import type { Command } from 'fleet-host'
import { hookChange } from './_schemas/hooks.ts'

export default {
  summary: 'Run a hook with every or cron now',
  group: 'Modules',
  route: 'POST /hook/run',
  payload: hookChange,
  answer: ({ payload, services: { hooks } }) => hooks.run(payload.hook),
} satisfies Command<typeof hookChange>
