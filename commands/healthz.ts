// Answers as long as the daemon is alive.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

export default {
  summary: 'Check that the daemon is alive',
  group: 'Server',
  route: 'GET /healthz',
  returns: object({ alive: { enum: [true] } }),
  access: 'none',
  answer: () => ({ alive: true }),
} satisfies Command
