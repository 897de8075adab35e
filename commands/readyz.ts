// Tells whether the daemon can do its work; 503 with the reasons when it cannot.
import type { Command } from 'fleet-host'

export default {
  summary: 'Tell whether the daemon can do its work: 503 with reasons when not',
  route: 'GET /readyz',
  open: true,
  async answer(_, { health }) {
    const reasons = await health.problems()
    if (reasons.length === 0) return { ready: true }
    return { status: 503, type: 'application/json', body: JSON.stringify({ ready: false, reasons }) }
  },
} satisfies Command
