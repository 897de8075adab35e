// Deletes images from the cache of live systems.
import type { Command } from 'fleet-host'
import { cachedName, readOutput, scriptReply } from './_cache-output.ts'
import { deleteScript } from './_cache-script.ts'

const payload = {
  type: 'object',
  required: ['clients', 'images'],
  properties: {
    clients: { $ref: 'clients' },
    images: { type: 'array', minItems: 1, maxItems: 100, items: cachedName, description: 'names, without `.img`' },
  },
} as const

export default {
  summary: 'Delete images from the cache of clients',
  group: 'Disks and images',
  example: { clients: ['10.1.1.20'], images: ['ubuntu'] },
  route: 'POST /cache/delete',
  destructive: true,
  payload,
  accept({ payload, services }) {
    services.fleet.clearOutput(payload.clients)
    return payload
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ payload: { images } }) => ({ run: deleteScript(images), echo: true }),
    reply: scriptReply,
    onReply: ({ reply, client }) => readOutput(reply, client),
  },
} satisfies Command<typeof payload, typeof scriptReply>
