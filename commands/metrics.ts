// Returns the daemon's metrics in the text format of Prometheus.
import type { Command } from 'fleet-host'

export default {
  summary: 'Read metrics, for Prometheus',
  route: 'GET /metrics',
  mediaType: 'text/plain',
  openOption: 'open_metrics',
  async answer({ services }) {
    return services.text(services.metrics.type, await services.metrics.text())
  },
} satisfies Command
