// Requests the state and the speed of the listed clients.
import type { Command } from 'fleet-host'
import { object, clientsOnly as payload } from './_schemas/objects.ts'

const reply = object({ status: { $ref: 'status' }, 'speed?': { $ref: 'speed' } })

export default {
  summary: 'Ask clients for their state',
  group: 'Clients',
  route: 'POST /clients',
  http: { prefix: true },
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
