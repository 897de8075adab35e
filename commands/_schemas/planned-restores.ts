// The schemas of planned restores: as callers write them, and in answers.
import { address, described, flag, integer, like, list, object, optional, strictObject, text, time } from './objects.ts'
import { runOptions, timeOfDay } from './tasks.ts'

const place = (description: string) => ({ type: 'string', pattern: '^[1-9][0-9]{0,3}$', description }) as const

export const payload = {
  ...strictObject({
    image: { type: 'string', description: 'name of the image, or `<name>.v<version>` for an older file of it' },
    'rooms?': {
      type: 'array',
      minItems: 1,
      items: { type: 'integer', minimum: 1 },
      description: 'ids of rooms: for all of their computers',
    },
    'clients?': { $ref: 'clients' },
    'disk?': place('number of the disk, from 1; default: where the image was made'),
    'partition?': place('number of the partition, as disk'),
    'type?': { enum: ['UNICAST', 'MULTICAST', 'TORRENT'], description: 'how the image comes there; default: UNICAST' },
    'at?': {
      ...timeOfDay,
      description: 'the next such time, in local time of the daemon; default: now',
      examples: ['22:00'],
    },
    'on?': {
      type: 'string',
      pattern: '^20[1-3]\\d-\\d\\d-\\d\\d$',
      expected: 'a date such as 2026-11-30',
      description: 'the day of `at`; default: the next such time',
      examples: ['2026-11-30'],
    },
    ...optional(runOptions),
    'overwrite?': {
      type: 'boolean',
      description: 'true: also where another system than that of the image would be overwritten',
    },
    'dry_run?': { type: 'boolean', description: 'stores and starts nothing' },
  }),
  dependencies: { disk: ['partition'], partition: ['disk'], on: ['at'] },
} as const

export const content = object({
  system: described(text, 'the operating system there; empty: none, or not known', 'Windows 10'),
  filesystem: like(text, 'NTFS'),
  another_system: described(flag, 'another system than that of the image would be overwritten', true),
  computers: like(integer, 24),
})

const room = object({
  id: integer,
  name: like(text, 'Room 1'),
  center: like(text, 'Main'),
  computers: like(integer, 24),
  off: described(integer, 'are not connected now', 3),
  in_use: described(integer, 'have somebody logged in now', 1),
  refused: described(integer, 'of these in `refused`', 1),
})
const refused = object({
  client: address,
  name: like(text, 'pc-20'),
  room: like(text, 'Room 1'),
  reason: like(text, 'maintenance'),
})

const planned = object({
  schedule: like(integer, 2),
  image: like(text, 'win10'),
  starts: time,
  computers: described(integer, 'of those that are meant', 24),
})

export const planResult = object({
  image: like(text, 'win11'),
  repository: described(address, 'address of its repository'),
  starts: described(time, 'when it starts'),
  'until?': described(time, 'what has not begun by then expires'),
  disk: described(text, 'the number of the disk', '1'),
  partition: like(text, '2'),
  system: described(text, 'the operating system of the image, empty when it is not known', 'Windows 11'),
  computers: described(integer, 'all that are meant', 96),
  'planned?': list(planned, 'restores of the same partition that are planned for the same night: the last one stays'),
  content: list(content, 'what is there now, another system first, then by number; at most 100'),
  overwrites: described(integer, 'how many computers have another system there: requires `overwrite`', 0),
  rooms: list(room),
  refused: list(refused, 'computers that would get nothing as things are now, at most 200'),
  'task?': described(integer, 'id of the new task', 7),
  'schedule?': described(integer, 'id of the new schedule', 3),
})
