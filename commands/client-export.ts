// Returns all computers as CSV, in the form that client/import reads.
import type { Command } from 'fleet-host'

export default {
  summary: 'Export computers as CSV',
  route: 'GET /client/export',
  mediaType: 'text/csv',
  async answer({ services }) {
    return services.text('text/csv; charset=utf-8', await services.computers.export())
  },
} satisfies Command
