// Counts clients by state.
import type { Command } from 'fleet-host'

export default {
  summary: 'Count clients by state',
  route: 'GET /states',
  group: 'Overviews',
  returns: { type: 'object', properties: { states: { type: 'object', additionalProperties: { type: 'integer' } } } },
  scoped: true,
  answer({ services, request }) {
    const states: Record<string, number> = {}
    for (const { addr, state } of services.fleet.clients()) {
      if (request.rights.hasClient(addr)) states[state] = (states[state] ?? 0) + 1
    }
    return { states }
  },
} satisfies Command
