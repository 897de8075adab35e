// Runs a task at once; then all clients with queued commands start to run them.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ task: idOf('task') })

export default {
  summary: 'Run a task now',
  group: 'Procedures and tasks',
  route: 'POST /task/run',
  assistants: false,
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const job = await services.jobs.runTask(Number(payload.task), request)
    if (services.isRefusal(job)) return job
    request.job(job)
  },
} satisfies Command<typeof payload>
