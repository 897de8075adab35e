// The schemas of image-restore: what callers send, and what agents reply.
const described = <Text extends string>(description: Text) => ({ type: 'string', description }) as const

export const payload = {
  type: 'object',
  required: ['clients', 'disk', 'partition', 'name', 'repository', 'type', 'profile', 'id'],
  properties: {
    clients: { $ref: 'clients' },
    disk: described('number of the disk, from 1'),
    partition: described('number of the partition, from 1'),
    name: described('name of the image, or `<name>.v<version>` for an older file of it'),
    repository: described('address of its repository'),
    type: { ...described('how the image comes to the client'), examples: ['UNICAST', 'MULTICAST', 'TORRENT'] },
    profile: described('id of the list of its software: `software_id` of `GET /images`; 0: none'),
    id: { ...described('id of the image; 0: that of the name'), proposed: '0' },
    overwrite: {
      type: 'boolean',
      description: 'false: computers with another system there are skipped; absent: nothing is asked',
      proposed: false,
    },
  },
} as const

export const reply = {
  type: 'object',
  required: ['disk', 'partition', 'image_id'],
  properties: { disk: { $ref: 'place' }, partition: { $ref: 'place' }, image_id: { $ref: 'id' } },
} as const
