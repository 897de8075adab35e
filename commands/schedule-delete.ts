// Deletes a schedule.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { $ref: 'id', description: 'id of the schedule, in digits' } },
} as const

export default {
  summary: 'Delete a schedule',
  group: 'Schedules',
  example: { id: '1' },
  route: 'POST /schedule/delete',
  access: 'operate',
  scoped: true,
  destructive: true,
  payload,
  answer: ({ payload, services, request }) => services.schedules.delete(Number(payload.id), request),
} satisfies Command<typeof payload>
