// Answers as long as the daemon is alive.
import type { CommandOf } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const returns = object({ alive: { enum: [true] } })

export default {
  summary: 'Check that the daemon is alive',
  group: 'Server',
  route: 'GET /healthz',
  returns,
  access: 'none',
  answer: () => ({ alive: true }),
} satisfies CommandOf<{ returns: typeof returns }>
