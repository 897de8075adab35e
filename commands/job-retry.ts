// Repeats, in a new job, the parts of a job that did not succeed.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({
  id: idOf('job'),
  'only?': {
    enum: ['failed'],
    description: 'only parts that failed; default: also skipped, expired and cancelled ones',
  },
  'wake?': { type: 'boolean', description: 'true: wakes the clients whose parts are queued again' },
})

export default {
  summary: 'Retry the failed, skipped, expired and cancelled parts of a job',
  group: 'Jobs and events',
  example: { id: '1', only: 'failed' },
  route: 'POST /job/retry',
  assistants: false,
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const { id, only = 'all', wake } = payload
    const job = await services.jobs.retry(Number(id), only, request, wake)
    if (services.isRefusal(job)) return job
    request.job(job)
    request.about(`job ${id}`)
  },
} satisfies Command<typeof payload>
