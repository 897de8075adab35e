// Lists the images in the cache of live systems, and its free space; the lists are the outputs of the job.
import type { Command } from 'fleet-host'
import { scriptReply } from './_schemas/caches.ts'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'List the images in the cache of clients',
  group: 'Disks and images',
  route: 'POST /cache/list',
  payload,
  accept({ payload, services }) {
    services.fleet.clearOutput(payload.clients)
    return payload
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ services }) => ({ run: services.caches.listScript, echo: true }),
    deadline: 60,
    reply: scriptReply,
    onReply: ({ reply, client, services }) => services.caches.readOutput(reply, client),
  },
} satisfies Command<typeof payload, typeof scriptReply>
