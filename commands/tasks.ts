// Lists tasks with their steps and whom they are for.
import type { Command } from 'fleet-host'

export default {
  summary: 'List tasks',
  route: 'GET /tasks',
  async answer(_, { store }) {
    return { tasks: await store.tasks.list() }
  },
} satisfies Command
