// Deletes a procedure that nothing names.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Delete a procedure',
  example: { id: '2' },
  route: 'POST /procedure/delete',
  payload,
  async answer({ id }, { store, refuse }) {
    const outcome = await store.procedures.delete(Number(id))
    if (outcome !== 'deleted') return refuse(`id: procedure ${id} is ${outcome}`)
  },
} satisfies Command<typeof payload>
