// Gives the daemon's numbers to Prometheus.
import type { Command } from 'fleet-host'

export default {
  summary: 'Read metrics, for Prometheus',
  route: 'GET /metrics',
  open: 'open_metrics',
  answers: 'text/plain',
  answer: async (_, { metrics }) => ({ type: metrics.type, body: await metrics.text() }),
} satisfies Command
