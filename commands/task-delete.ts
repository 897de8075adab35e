// Deletes a task that no task or schedule refers to.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ id: { $ref: 'id', description: 'id of the task, in digits' } })

export default {
  summary: 'Delete a task',
  group: 'Procedures and tasks',
  example: { id: '1' },
  route: 'POST /task/delete',
  destructive: true,
  payload,
  async answer({ payload, services }) {
    const outcome = await services.store.tasks.delete(Number(payload.id))
    if (outcome !== 'deleted') return services.refuse(`id: task ${payload.id} is ${outcome}`)
  },
} satisfies Command<typeof payload>
