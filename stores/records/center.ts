// Centers with their rooms, repositories, and groups of computers.
import {
  about,
  flag,
  list,
  number,
  optional,
  optionalText,
  orNone,
  type RecordOf,
  record,
  reference,
  tagList,
  text,
} from './record-columns.ts'

export const center = record(
  { id: number, name: about('Unique.', text), comment: about('For people.', optionalText) },
  'Centers of the organisation.',
)

export interface Center extends RecordOf<typeof center> {}

export const room = record(
  {
    id: number,
    center: reference('center', 'cascade'),
    name: about('Unique in its center.', text),
    netmask: text,
    location: about('Where it is, for people.', optionalText),
    gateway: about('Address of the router of its computers.', optionalText),
    ntp: about('Address of their time server.', optionalText),
    dns: about('Address of their name server.', optionalText),
    group: about('A group of rooms, for consoles.', orNone(number, 0)),
    remote: about('For remote access: a flag for consoles.', flag),
    tags: tagList,
  },
  'Rooms of the centers.',
)

export interface Room extends RecordOf<typeof room> {}

export const repository = record(
  {
    id: number,
    name: about('Unique.', text),
    ip: about('Its address; null: that of this server.', optionalText),
    slots: about('How many images may be copied from or to it at once; null: any number.', optional(number, 0)),
  },
  'Servers that keep the files of images.',
)

/** Repository 1 always exists; its empty `ip` stands for the daemon's own address. */
export interface Repository extends RecordOf<typeof repository> {}

export const group = record(
  {
    id: number,
    name: about('Unique.', text),
    where: about('The query that finds its computers; null: it has a list.', optional(text)),
    clients: about(
      'The addresses of its computers, also of those that are gone; null: it has a query.',
      optional(list(text)),
    ),
  },
  'Groups of computers: queries or lists that have names.',
)

/** Has one of `where` and `clients`. */
export interface Group extends RecordOf<typeof group> {}
