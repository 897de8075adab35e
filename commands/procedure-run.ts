// Runs a procedure on the listed clients; its steps are queued for clients that are off or busy.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ clients: { $ref: 'clients' }, procedure: idOf('procedure') })

export default {
  summary: 'Run a procedure',
  group: 'Procedures and tasks',
  route: 'POST /procedure/run',
  assistants: false,
  access: 'operate',
  payload,
  async answer({ payload, services, request }) {
    const job = await services.jobs.runProcedure(Number(payload.procedure), payload.clients, request)
    if (services.isRefusal(job)) return job
    request.job(job)
  },
} satisfies Command<typeof payload>
