// Stops a job: ends its running parts, and cancels its queued ones.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({
  id: idOf('job'),
  'clients?': { $ref: 'clients', description: 'only its parts on these computers' },
})

export default {
  summary: 'Stop a job: end its running parts, cancel the queued ones',
  group: 'Jobs and events',
  example: { id: '1' },
  route: 'POST /job/stop',
  confirm: 'ask',
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const stopped = await services.jobs.stop(Number(payload.id), request, payload.clients)
    if (services.isRefusal(stopped)) return stopped
    request.about(`job ${payload.id}`)
  },
} satisfies Command<typeof payload>
