// Lists tasks with their steps and the computers that they are for.
import type { Command } from 'fleet-host'

export default {
  summary: 'List tasks',
  route: 'GET /tasks',
  async answer({ services }) {
    return { tasks: await services.store.tasks.list() }
  },
} satisfies Command
