// Copies an image from its repository to the cache of live systems, so that later restores need no network.
import type { Command } from 'fleet-host'
import { cachedName, scriptReply } from './_schemas/caches.ts'
import { object } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  name: { ...cachedName, description: 'name of the image, or `<name>.v<version>` for an older file of it' },
  'repository?': { $ref: 'ipv4', description: 'address of its repository; default: that of its record' },
  'type?': { enum: ['UNICAST', 'TORRENT'], description: 'how the image comes to the client; default UNICAST' },
})

export default {
  summary: 'Copy an image to the cache of clients',
  group: 'Disks and images',
  example: { clients: ['10.1.1.20'], name: 'ubuntu', repository: '10.1.1.2', type: 'UNICAST' },
  route: 'POST /cache/fetch',
  imaging: 'read',
  payload,
  async accept({ payload, services }) {
    const { clients, name, type = 'UNICAST' } = payload
    const image = await services.images.find(name)
    const repository = payload.repository ?? (image && (await services.images.addressOf(image.repo_id)))
    if (repository === undefined) return services.refuse(`name: there is no image ${name}, and no repository is named`)
    services.fleet.clearOutput(clients)
    return { clients, name, repository, type }
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ payload: { name, repository = '', type = '' }, services }) => ({
      run: services.caches.fetchScript({ name, repository, type }),
      echo: true,
    }),
    deadline: 6 * 3600,
    reply: scriptReply,
    onReply: ({ reply, client, services }) => services.caches.readOutput(reply, client),
  },
} satisfies Command<typeof payload, typeof scriptReply>
