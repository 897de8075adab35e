// The schemas of what is known of many computers.
import { address, described, flag, integer, like, list, object, optional, text, time } from './objects.ts'

export const whereText = described(
  text,
  'which computers: a query of the fields that `GET /search/fields` lists',
  'room:"Lab 1" os:windows',
)

const pageKeys = {
  'limit?': {
    type: 'string',
    pattern: '^[1-9][0-9]{0,4}$',
    expected: '1 to 99999',
    description: 'at most so many; default: 100',
  },
  'after?': { type: 'string', pattern: '^[0-9]{1,15}$', description: '`next` of the page before' },
} as const

export const searchQuery = object({
  'where?': whereText,
  'columns?': described(
    text,
    'with commas between, of client, name, room, center, mac, serial, tags, state, user, os, image, ram, disk, cpu, model, boot, maintenance, seen, software:TEXT; default: client,name,room,center,state',
    'name,ram',
  ),
  'sort?': described(text, 'a column, with - before it for the opposite order', '-ram'),
  ...pageKeys,
  'format?': { enum: ['json', 'csv'], description: '`csv`: all pages as CSV' } as const,
  'explain?': { enum: ['1'], description: '`1`: when nothing is found, `reason` says why' } as const,
})

const columns = object({
  client: address,
  ...optional({
    name: like(text, 'pc-20'),
    room: described(text, 'the name of its room', 'Lab 1'),
    center: described(text, 'the name of its center', 'Campus'),
    mac: like(text, '001b210a0b0c'),
    serial: like(text, 'CZC8473H2K'),
    tags: described(list(like(text, 'cad')), 'its own'),
    state: described(text, 'as in queries', 'off'),
    user: described(text, 'who is logged in', 'anna'),
    os: list(like(text, 'Windows 11 Pro')),
    image: list(like(text, 'win11')),
    ram: described(integer, 'MiB', 16384),
    disk: described(integer, 'MiB of its largest disk', 476940),
    cpu: like(text, 'Intel Core i5-12400'),
    model: like(text, 'OptiPlex 7010'),
    boot: like(text, 'pxe'),
    maintenance: flag,
    seen: described(time, 'when it was last connected; absent: never'),
  }),
})

export const found = {
  ...columns,
  patternProperties: { '^software:': described(list(text), 'the lines of its lists of software that have the text') },
} as const

export const softwareQuery = object({
  'search?': described(text, 'a part of names of programs, with * for any text: looks at many computers', 'blender'),
  'where?': described(text, 'with `search`: at which computers, a query as in `GET /search`', 'tag:cad'),
  'limit?': {
    type: 'string',
    pattern: '^([1-9][0-9]{0,2}|1000)$',
    expected: '1 to 1000',
    description: 'with `search`: at most so many versions; default: 100',
  },
  'after?': described(text, 'with `search`: `next` of the page before'),
} as const)

export const count = described(integer, 'how many computers have it', 7)

const program = object({
  name: described(text, 'a line of lists of software, without its version', 'Blender'),
  computers: count,
  versions: list(object({ 'version?': described(text, 'absent: the line says none', '3.6.2'), computers: count })),
  rooms: list(object({ room: like(integer, 1), computers: count }), 'the 20 that have most of them'),
})

export const foundPrograms = {
  ...object({
    programs: list(program, 'in the order of their names'),
    rooms: list(object({ room: like(integer, 1), name: like(text, 'Lab 1'), center: like(text, 'Campus') })),
    'next?': described(text, 'for `after`, when more follow', 'Blender 3.6.2'),
  }),
  title: 'Of many computers',
} as const
