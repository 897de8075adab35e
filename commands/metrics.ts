// Returns the daemon's metrics in the text format of Prometheus.
import type { CommandOf } from 'fleet-host'

const lines = '# HELP fleet_agents Connected agents\n# TYPE fleet_agents gauge\nfleet_agents{state="OPG"} 24\n'

const returns = { type: 'string', examples: [lines] } as const

export default {
  summary: 'Read metrics, for Prometheus',
  group: 'Server',
  route: 'GET /metrics',
  returns,
  mediaType: 'text/plain',
  http: { openWith: 'open_metrics' },
  answer: async ({ services }) => services.text(services.metrics.type, await services.metrics.text()),
} satisfies CommandOf<{ returns: typeof returns }>
