// Writes an image to a partition of the listed clients.
import type { Command } from 'fleet-host'
import { described, object, text } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  disk: described(text, 'number of the disk, from 1', '1'),
  partition: described(text, 'number of the partition, from 1', '2'),
  name: described(text, 'name of the image, or `<name>.v<version>` for an older file of it', 'ubuntu'),
  repository: described(text, 'address of its repository', '10.1.1.2'),
  type: described(
    text,
    'how the image comes to the client; with `-CACHE` behind it, or `TORRENT`, by way of its cache',
    ...['UNICAST', 'MULTICAST', 'TORRENT', 'UNICAST-CACHE', 'MULTICAST-CACHE'],
  ),
  profile: described(text, 'id of the list of its software: `software_id` of `GET /images`; 0: none', '1'),
  id: { ...described(text, 'id of the image; 0: that of the name', '0'), proposed: '0' },
  'overwrite?': {
    type: 'boolean',
    description: 'false: computers with another system there are skipped; absent: nothing is asked',
    proposed: false,
  },
})

const reply = object({
  disk: { $ref: 'place' },
  partition: { $ref: 'place' },
  image_id: { $ref: 'id' },
  // Of agents that read the disks after a restore.
  'inventory?': { $ref: 'inventory' },
})

export default {
  summary: 'Restore an image',
  group: 'Disks and images',
  route: 'POST /image/restore',
  confirm: 'ask',
  imaging: 'read',
  payload,
  async accept({ payload, services: { images, refuse } }) {
    const refusal = await images.checkIdentity(payload, await images.find(payload.name))
    if (refusal) return refusal
    return images.isValidName(payload.name) ? payload : refuse(`name: expected a file name, got ${payload.name}`)
  },
  missing: async ({ payload: { name }, services: { images } }) =>
    (await images.find(name)) ? undefined : `image ${name}`,
  preflight: ({ payload, services }) => services.preflight.restore(payload),
  preview: async ({ payload, services }) => (await services.preflight.contents(payload)).byClient,
  forward: {
    to: 'POST /image/restore',
    body: ({ payload: { clients: _clients, overwrite: _overwrite, ...body } }) => body,
    deadline: 6 * 3600,
    reply,
    checkReply: ({ reply, payload: { disk, partition, id }, services }) =>
      services.inventory.compareIds({ disk, partition, image_id: id }, reply),
    async onReply({ reply, payload: { name }, client, services }) {
      const id = (await services.images.find(name))?.id ?? Number(reply.image_id)
      const image = { id, disk: Number(reply.disk), partition: Number(reply.partition) }
      if (reply.inventory) await services.inventory.refresh(reply.inventory, client)
      const { version, at } = await services.images.restored({ id: image.id, name })
      return services.store.images.recordRestore(client.addr, { ...image, version, at })
    },
  },
} satisfies Command<typeof payload, typeof reply>
