// Deletes a center with its rooms and computers.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Delete a center with all that is in it',
  example: { id: '1' },
  route: 'POST /center/delete',
  payload,
  async answer({ id }, { store, computers, refuse }) {
    const deleted = await store.centers.delete(Number(id))
    if (!deleted) return refuse(`id: there is no center ${id}`)
    await computers.cleanUp(deleted)
  },
} satisfies Command<typeof payload>
