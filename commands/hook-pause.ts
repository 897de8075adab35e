// Pauses a hook: its events wait, its times pass, and what it decides is allowed.
import type { Command } from 'fleet-host'
import { hookChange } from './_schemas/hooks.ts'

export default {
  summary: 'Pause a hook until it is resumed',
  group: 'Modules',
  route: 'POST /hook/pause',
  payload: hookChange,
  answer: ({ payload, services: { hooks }, request }) => hooks.pause(payload.hook, request.rights.name),
} satisfies Command<typeof hookChange>
