// Deletes images from the cache of live systems.
import type { Command } from 'fleet-host'
import { cachedName, scriptReply } from './_schemas/caches.ts'
import { object } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  images: { type: 'array', minItems: 1, maxItems: 100, items: cachedName, description: 'names, without `.img`' },
})

export default {
  summary: 'Delete images from the cache of clients',
  group: 'Disks and images',
  example: { clients: ['10.1.1.20'], images: ['ubuntu'] },
  route: 'POST /cache/delete',
  confirm: 'ask',
  payload,
  accept({ payload, services }) {
    services.fleet.clearOutput(payload.clients)
    return payload
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ payload, services }) => ({ run: services.caches.deleteScript(payload.images), echo: true }),
    reply: scriptReply,
    onReply: ({ reply, client, services }) => services.caches.readOutput(reply, client),
  },
} satisfies Command<typeof payload, typeof scriptReply>
