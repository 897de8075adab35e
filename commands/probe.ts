// Requests the state and the speed of the listed clients.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ clients: { $ref: 'clients' } })

const reply = {
  type: 'object',
  required: ['status'],
  properties: { status: { $ref: 'status' }, speed: { $ref: 'speed' } },
} as const

export default {
  summary: 'Ask clients for their state',
  group: 'Clients',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /clients',
  payload,
  forward: {
    to: 'POST /probe',
    body: 'none',
    deadline: 10,
    showsBusy: false,
    endsOn202: true,
    reply,
    onReply({ reply, client }) {
      client.setStatus(reply.status)
      if (reply.speed !== undefined) client.setSpeed(reply.speed)
    },
  },
} satisfies Command<typeof payload, typeof reply>
