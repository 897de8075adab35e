// Lets a paused hook run again, and forgets its failures.
import type { Command } from 'fleet-host'
import { hookChange } from './_schemas/hooks.ts'

export default {
  summary: 'Resume a paused hook',
  group: 'Modules',
  route: 'POST /hook/resume',
  payload: hookChange,
  answer: ({ payload, services: { hooks } }) => hooks.resume(payload.hook),
} satisfies Command<typeof hookChange>
