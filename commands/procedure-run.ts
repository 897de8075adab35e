// Runs a procedure on the listed clients; those that are off or busy get its steps later.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'procedure'],
  properties: { clients: { $ref: 'clients' }, procedure: { $ref: 'id' } },
} as const

export default {
  summary: 'Run a procedure',
  example: { clients: ['10.1.1.20'], procedure: '1' },
  route: 'POST /procedure/run',
  payload,
  async answer({ clients, procedure }, { jobs }, request) {
    const job = await jobs.runProcedure(Number(procedure), clients)
    if (typeof job !== 'number') return job
    request.job(job)
  },
} satisfies Command<typeof payload>
