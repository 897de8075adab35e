// Requests the hardware inventory of the listed clients and stores it.
import type { Command } from 'fleet-host'
import { object, clientsOnly as payload } from './_schemas/objects.ts'

const reply = object({ hardware: { type: 'string', maxLines: 500 } })

export default {
  summary: 'Take the hardware inventory',
  group: 'Inventory',
  route: 'POST /hardware',
  payload,
  forward: {
    to: 'GET /hardware',
    reply,
    onReply({ reply, client, services }) {
      const items = services.inventory.parseHardware(reply.hardware)
      return services.store.inventory.setHardware(client.addr, items)
    },
  },
} satisfies Command<typeof payload, typeof reply>
