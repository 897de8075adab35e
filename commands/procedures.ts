// Lists procedures with their steps.
import type { Command } from 'fleet-host'

export default {
  summary: 'List procedures',
  route: 'GET /procedures',
  async answer({ services }) {
    return { procedures: await services.store.procedures.list() }
  },
} satisfies Command
