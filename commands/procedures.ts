// Lists procedures with their steps.
import type { Command } from 'fleet-host'

export default {
  summary: 'List procedures',
  route: 'GET /procedures',
  async answer(_, { store }) {
    return { procedures: await store.procedures.list() }
  },
} satisfies Command
