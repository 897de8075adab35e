// Reads whether the daemon drains before a restart, and what still runs.
import type { CommandOf } from 'fleet-host'
import { drainState } from './_schemas/server.ts'

export default {
  summary: 'Read what runs, and whether new work is accepted',
  group: 'Server',
  route: 'GET /drain',
  returns: drainState,
  answer: ({ services }) => services.drain.state(),
} satisfies CommandOf<{ returns: typeof drainState }>
