// Repeats, in a new job, the parts of a job that did not succeed.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['id'],
  properties: { id: { $ref: 'id' }, only: { enum: ['failed'] } },
} as const

export default {
  summary: 'Retry the failed, skipped, expired and cancelled parts of a job',
  example: { id: '1', only: 'failed' },
  route: 'POST /job/retry',
  payload,
  async answer({ payload, services, request }) {
    const { id, only = 'all' } = payload
    const job = await services.jobs.retry(Number(id), only, request.caller)
    if (job === undefined) return services.refuse(`id: expected a job with parts to retry, got ${id}`)
    request.job(job)
  },
} satisfies Command<typeof payload>
