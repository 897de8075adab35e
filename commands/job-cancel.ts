// Cancels what still waits of a job.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['id'], properties: { id: { $ref: 'id' } } } as const

export default {
  summary: 'Cancel the queued parts of a job',
  example: { id: '1' },
  route: 'POST /job/cancel',
  payload,
  async answer({ id }, { store, jobs, refuse }) {
    if (!(await store.jobs.find(Number(id)))) return refuse(`id: there is no job ${id}`)
    await jobs.cancel(Number(id))
  },
} satisfies Command<typeof payload>
