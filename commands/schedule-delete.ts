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
  payload,
  async answer({ id }, { schedules: calendar, refuse }) {
    if (!(await calendar.delete(Number(id)))) return refuse(`id: there is no schedule ${id}`)
  },
} satisfies Command<typeof payload>
