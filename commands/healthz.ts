// Tells that the daemon is alive.
import type { Command } from 'fleet-host'

export default {
  summary: 'Tell that the daemon is alive',
  route: 'GET /healthz',
  open: true,
  answer: () => ({ alive: true }),
} satisfies Command
