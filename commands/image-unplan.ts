// Deletes a planned restore: its schedule, and the task and procedure that were made with it.
import type { Command } from 'fleet-host'
import { strictObject } from './_schemas/objects.ts'

const payload = strictObject({ id: { $ref: 'id', description: '`schedule` of `GET /image/plans`' } })

export default {
  summary: 'Delete a planned restore',
  group: 'Disks and images',
  example: { id: '4' },
  route: 'POST /image/unplan',
  access: 'operate',
  scoped: true,
  confirm: 'ask',
  payload,
  answer: ({ payload, services, request }) => services.plans.remove('image-restore', Number(payload.id), request),
} satisfies Command<typeof payload>
