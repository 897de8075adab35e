// Plans the restore of an image in rooms: a task, and a schedule that runs it once; without `at` it runs at once.
import type { Command } from 'fleet-host'
import { planResult } from './_schemas/planned-restores.ts'
import { runOptions, timeOfDay } from './_schemas/tasks.ts'

const place = (description: string) => ({ type: 'string', pattern: '^[1-9][0-9]{0,3}$', description }) as const

const payload = {
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

export default {
  summary: 'Plan the restore of an image in rooms',
  group: 'Disks and images',
  example: { image: 'ubuntu', rooms: [1], disk: '1', partition: '2', at: '22:00', until: '06:30', batch: 20 },
  route: 'POST /image/plan',
  returns: planResult,
  access: 'operate',
  scoped: true,
  destructive: true,
  previewKey: 'dry_run',
  payload,
  answer: ({ payload, services, request }) => services.plans.add('image-restore', payload, request),
} satisfies Command<typeof payload>
