// Asks the listed clients for their kernel version and keeps it as their output.
import type { Command } from 'fleet-host'

// JSON Schema of what a caller sends. `clients`, `client`, `ipv4` and `id` are common schemas.
const payload = {
  type: 'object',
  required: ['clients'],
  properties: { clients: { $ref: 'clients' } },
} as const

// JSON Schema of an agent's reply. A reply that does not match it is a failure of that client.
const reply = { type: 'object', properties: { out: { type: 'string' } } } as const

export default {
  summary: 'Ask clients for their kernel version',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /my/command',
  payload,
  // Sent to each listed client that is connected and not busy, as a shell script to run.
  forward: {
    to: 'POST /shell/run',
    body: () => ({ run: 'uname -a', echo: true }),
    deadline: 30,
    reply,
    // POST /shell/output reads the output. `payload` and `services` (store, fleet, jobs, …) are in the context too.
    onReply({ reply, client }) {
      client.setOutput(reply.out ?? '')
    },
  },
} satisfies Command<typeof payload, typeof reply>
