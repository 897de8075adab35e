// Deletes an image repository that nothing names.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Delete a repository',
  example: { id: '2' },
  route: 'POST /repository/delete',
  payload,
  async answer({ id }, { store, refuse }) {
    const outcome = await store.repositories.delete(Number(id))
    if (outcome !== 'deleted') return refuse(`id: repository ${id} is ${outcome}`)
  },
} satisfies Command<typeof payload>
