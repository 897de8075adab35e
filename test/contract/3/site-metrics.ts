// Metrics of the site: without a token while the option says so, or with ?token=.
import type { Command } from 'fleet-host'

export default {
  contract: 3,
  summary: 'Metrics of the site',
  route: 'GET /site/metrics',
  http: { openWith: 'open_metrics', queryToken: true },
  async answer({ services }) {
    const sorted = await services.slices.sort(services.fleet.clients(), (a, b) => (a.addr < b.addr ? -1 : 1))
    const lines: string[] = []
    await services.slices.forEach(sorted, ({ addr }) => lines.push(`site_client{addr="${addr}"} 1`))
    return services.text('text/plain; version=0.0.4', `${lines.join('\n')}\n`)
  },
} satisfies Command
