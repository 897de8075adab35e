// Deletes a schedule.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { $ref: 'id' } },
} as const

export default {
  summary: 'Delete a schedule',
  example: { id: '1' },
  route: 'POST /schedule/delete',
  destructive: true,
  payload,
  async answer({ payload, services }) {
    const existed = await services.schedules.delete(Number(payload.id))
    if (!existed) return services.refuse(`id: there is no schedule ${payload.id}`)
  },
} satisfies Command<typeof payload>
