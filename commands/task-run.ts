// Starts a task at once; then all clients that have queued commands are told to run them.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['task'], properties: { task: { $ref: 'id' } } } as const

export default {
  summary: 'Run a task now',
  example: { task: '1' },
  route: 'POST /task/run',
  payload,
  async answer({ task }, { jobs }, request) {
    const job = await jobs.runTask(Number(task))
    if (typeof job !== 'number') return job
    request.job(job)
  },
} satisfies Command<typeof payload>
