// Deletes a planned restore: its schedule, and the task and procedure that were made with it.
import type { Command } from 'fleet-host'
import { deleteRecords, planOf } from './_plan-mark.ts'

const payload = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { $ref: 'id', description: '`schedule` of `GET /image/plans`' } },
} as const

export default {
  summary: 'Delete a planned restore',
  group: 'Disks and images',
  example: { id: '4' },
  route: 'POST /image/unplan',
  access: 'operate',
  scoped: true,
  destructive: true,
  payload,
  async answer({ payload, services, request }) {
    const id = Number(payload.id)
    const schedule = (await services.schedules.list(request)).find(each => each.id === id)
    const plan = schedule && planOf(schedule)
    const { isLimited } = request.rights
    if (!plan) return services.refuse(`id: there is no planned restore ${id}`, isLimited ? 403 : 400)
    const refusal = await services.schedules.delete(id, request)
    if (refusal) return refusal
    await deleteRecords(plan, services)
  },
} satisfies Command<typeof payload>
