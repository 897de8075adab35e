// Deletes a task that nothing names.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Delete a task',
  example: { id: '1' },
  route: 'POST /task/delete',
  payload,
  async answer({ id }, { store, refuse }) {
    const outcome = await store.tasks.delete(Number(id))
    if (outcome !== 'deleted') return refuse(`id: task ${id} is ${outcome}`)
  },
} satisfies Command<typeof payload>
