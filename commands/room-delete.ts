// Deletes a room with its computers.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Delete a room with its computers',
  example: { id: '1' },
  route: 'POST /room/delete',
  payload,
  async answer({ id }, { store, computers, refuse }) {
    const deleted = await store.rooms.delete(Number(id))
    if (!deleted) return refuse(`id: there is no room ${id}`)
    await computers.cleanUp(deleted)
  },
} satisfies Command<typeof payload>
