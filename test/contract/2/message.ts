// Shows a message on the listed clients.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'text'],
  properties: { clients: { $ref: 'clients' }, text: { type: 'string', maxLength: 200, maxLines: 3 } },
} as const

const reply = { type: 'object', properties: { out: { type: 'string' } } } as const

export default {
  summary: 'Show a message',
  example: { clients: ['10.1.1.20'], text: 'The lesson starts in five minutes' },
  route: 'POST /message',
  aliases: ['announce'],
  payload,
  accept({ payload, services }) {
    return payload.text.includes("'") ? services.refuse('text: expected no quotes') : payload
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ payload }) => ({ run: `wall '${payload.text}'`, echo: true }),
    deadline: 20,
    reply,
    onReply({ reply, client }) {
      client.setOutput(reply.out ?? '')
    },
  },
} satisfies Command<typeof payload, typeof reply>
