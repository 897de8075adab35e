// Deletes a schedule, with the task and the procedure that were made with it.
import type { Command } from 'fleet-host'
import { idOf, strictObject } from './_schemas/objects.ts'

const payload = strictObject({ id: idOf('schedule') })

export default {
  summary: 'Delete a schedule',
  group: 'Schedules',
  route: 'POST /schedule/delete',
  access: 'operate',
  scoped: true,
  confirm: 'ask',
  payload,
  answer: ({ payload, services, request }) => services.schedules.delete(Number(payload.id), request),
} satisfies Command<typeof payload>
