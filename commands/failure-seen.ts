// Ends the failures of the listed clients: somebody has seen them.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'Mark the failures of computers as seen',
  group: 'Jobs and events',
  route: 'POST /failure/seen',
  payload,
  endsFailures: true,
  // The part of its job is what is stored, and what other hosts and consoles learn of.
  act: () => ({ result: 'success' }),
} satisfies Command<typeof payload>
