// Lists tasks with their steps and the computers that they are for.
import type { Command } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { taskResult } from './_schemas/tasks.ts'

export default {
  summary: 'List tasks',
  group: 'Procedures and tasks',
  route: 'GET /tasks',
  returns: object({ tasks: list(taskResult) }),
  scoped: true,
  async answer({ services, request: { rights } }) {
    const wordsOf = await services.search.describer({ rights })
    const rows = await services.store.tasks.list()
    const tasks = rows.map(task => ({ ...task, for: wordsOf(task) }))
    if (!rights.isLimited) return { tasks }
    const isInside = await Promise.all(tasks.map(task => services.jobs.isInside(task, rights)))
    // A query may name what is outside the limits.
    return { tasks: tasks.flatMap(({ where: _, ...task }, index) => (isInside[index] ? task : [])) }
  },
} satisfies Command
