// Answers as long as the daemon is alive.
import type { Command } from 'fleet-host'

export default {
  summary: 'Check that the daemon is alive',
  route: 'GET /healthz',
  access: 'none',
  answer: () => ({ alive: true }),
} satisfies Command
