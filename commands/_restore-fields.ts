// The schema of what plans a restore.
import { runOptions, timeOfDay } from './_schemas/tasks.ts'

const place = (description: string) => ({ type: 'string', pattern: '^[1-9][0-9]{0,3}$', description }) as const

export const planPayload = {
  type: 'object',
  required: ['image', 'rooms'],
  dependencies: { disk: ['partition'], partition: ['disk'] },
  additionalProperties: false,
  properties: {
    image: { type: 'string', description: 'name of the image, or `<name>.v<version>` for an older file of it' },
    rooms: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1 }, description: 'ids of rooms' },
    disk: place('number of the disk, from 1; default: where the image was made'),
    partition: place('number of the partition, as disk'),
    type: { enum: ['UNICAST', 'MULTICAST', 'TORRENT'], description: 'how the image comes there; default: UNICAST' },
    at: {
      ...timeOfDay,
      description: 'the next such time, in local time of the daemon; default: now',
      examples: ['22:00'],
    },
    ...runOptions,
    overwrite: {
      type: 'boolean',
      description: 'true: also where another system than that of the image would be overwritten',
    },
    dry_run: { type: 'boolean', description: 'stores and starts nothing' },
  },
} as const
