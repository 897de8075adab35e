// Does again, in a new job, what a job left undone.
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
  async answer({ id, only }, { jobs, refuse }, request) {
    const job = await jobs.retry(Number(id), only ?? 'all')
    if (job === undefined) return refuse(`id: job ${id} is unknown or left nothing undone`)
    request.job(job)
  },
} satisfies Command<typeof payload>
