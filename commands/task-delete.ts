// Deletes a task that no task or schedule refers to.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['id'],
  properties: { id: { $ref: 'id', description: 'id of the task, in digits' } },
} as const

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
