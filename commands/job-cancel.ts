// Cancels the queued parts of a job.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Cancel the queued parts of a job',
  example: { id: '1' },
  route: 'POST /job/cancel',
  payload,
  async answer({ payload, services }) {
    const id = Number(payload.id)
    if (!(await services.store.jobs.find(id))) return services.refuse(`id: there is no job ${payload.id}`)
    services.jobs.cancel(id)
  },
} satisfies Command<typeof payload>
