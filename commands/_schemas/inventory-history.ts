// The schemas of what has changed in the inventories of computers.
import { address, described, integer, like, list, object, optional, text, time } from './objects.ts'

const kinds = ['software', 'hardware', 'disk', 'system'] as const

const kind = { enum: kinds, description: 'of which inventory: programs, devices, disks or installed systems' } as const

const names = like(text, 'Blender 3.6.2')

const changeKeys = {
  time: described(time, 'when the inventory came'),
  kind,
  'disk?': described(integer, 'its number; absent: of hardware', 1),
  'partition?': described(integer, 'its number; absent: of hardware and disks', 2),
  added: list(names, 'what was not there before, the first 50'),
  removed: list(names, 'what is not there any more, the first 50'),
  'added_total?': described(integer, 'how many, when these are more than the list has', 380),
  'removed_total?': described(integer, 'how many, when these are more than the list has', 380),
} as const

export const change = object(changeKeys)

export const history = {
  ...object({
    since: described(
      object(optional({ software: time, hardware: time, disk: time, system: time })),
      'when the first inventory of each kind came; absent: none, or before changes were recorded',
    ),
    changes: list(change, 'the newest first'),
  }),
  title: 'Of a computer',
} as const

export const historyQuery = object({
  'search?': described(text, 'a part of names: only these are answered', 'blender'),
  'kind?': kind,
  'where?': described(
    text,
    'without `client`: of which computers; see the table of fields in the documentation',
    'tag:cad',
  ),
  'limit?': {
    type: 'string',
    pattern: '^([1-9][0-9]{0,2}|1000)$',
    expected: '1 to 1000',
    description: 'without `client`: at most so many changes; default: 100',
  },
  'after?': {
    type: 'string',
    pattern: '^[0-9]{1,15}/[0-9]{1,15}$',
    description: 'without `client`: `next` of the page before',
  },
} as const)

export const foundChanges = {
  ...object({
    changes: list(object({ client: address, name: like(text, 'pc-20'), ...changeKeys }), 'the newest first'),
    'next?': described(text, 'for `after`, when more follow', '1794650000000/17'),
  }),
  title: 'Of many computers',
} as const
