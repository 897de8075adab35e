// Runs a shell script on the listed clients and keeps its output.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'run', 'echo'],
  properties: {
    clients: { $ref: 'clients' },
    run: { type: 'string', description: 'the script; it is stored with the job, so it should contain no password' },
    echo: { type: 'boolean', description: 'true: the agent returns what the script prints' },
  },
} as const

const reply = { type: 'object', properties: { out: { type: 'string' } } } as const

export default {
  summary: 'Run a shell script',
  group: 'Clients',
  example: { clients: ['10.1.1.20'], run: 'uname -a', echo: true },
  route: 'POST /shell/run',
  aliases: ['run'],
  payload,
  accept({ payload, services }) {
    services.fleet.clearOutput(payload.clients)
    return payload
  },
  forward: {
    to: 'POST /shell/run',
    reply,
    onReply({ reply, client }) {
      client.setOutput(reply.out ?? '')
    },
  },
} satisfies Command<typeof payload, typeof reply>
