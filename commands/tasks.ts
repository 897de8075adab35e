// Lists tasks with their steps and the computers that they are for.
import type { Command } from 'fleet-host'
import { list, result } from './_result-schemas.ts'
import { taskResult } from './_task-results.ts'

const returns = result({ tasks: list(taskResult) })

export default {
  summary: 'List tasks',
  route: 'GET /tasks',
  returns,
  async answer({ services }) {
    return { tasks: await services.store.tasks.list() }
  },
} satisfies Command
