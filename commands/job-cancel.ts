// Cancels the queued parts of a job.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({
  id: idOf('job'),
  'clients?': { $ref: 'clients', description: 'only its parts on these computers' },
})

export default {
  summary: 'Cancel the queued parts of a job',
  group: 'Jobs and events',
  example: { id: '1' },
  route: 'POST /job/cancel',
  assistants: false,
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const cancelled = await services.jobs.cancel(Number(payload.id), request, payload.clients)
    if (services.isRefusal(cancelled)) return cancelled
    request.about(`job ${payload.id}`)
  },
} satisfies Command<typeof payload>
