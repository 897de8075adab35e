// The schema of what plans a restore.
import { runOptions, timeOfDay } from './_task-fields.ts'

const place = (description: string) => ({ type: 'string', pattern: '^[1-9][0-9]{0,3}$', description }) as const

export const planPayload = {
  type: 'object',
  required: ['image', 'rooms', 'disk', 'partition'],
  additionalProperties: false,
  properties: {
    image: { type: 'string', description: 'name of the image, or `<name>.v<version>` for an older file of it' },
    rooms: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1 }, description: 'ids of rooms' },
    disk: place('number of the disk, from 1'),
    partition: place('number of the partition, from 1'),
    type: { enum: ['UNICAST', 'MULTICAST', 'TORRENT'], description: 'how the image comes there; default: UNICAST' },
    at: {
      ...timeOfDay,
      description: 'the next such time, in local time of the daemon; default: now',
      examples: ['22:00'],
    },
    ...runOptions,
    dry_run: { type: 'boolean', description: 'stores and starts nothing' },
  },
} as const
