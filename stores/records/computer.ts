// Managed computers and their partitions.
import {
  about,
  decimal,
  flag,
  milliseconds,
  number,
  optional,
  optionalText,
  orNone,
  type RecordOf,
  record,
  reference,
  small,
  tagList,
  text,
} from './record-columns.ts'

const place = record({ row: small, column: small })

/** A seat on the map of a room: its row and column, 1 to 99. Computers may share one. */
export interface Place extends RecordOf<typeof place> {}

export const computer = record(
  {
    id: number,
    name: about('Its host name.', text),
    ip: about('Its address, unique. Text: a site may store what is no address.', text),
    mac: about('Its hardware address, 12 hex digits as they were written.', optionalText),
    room: reference('room', 'cascade'),
    netmask: optionalText,
    boot: about('Its boot mode.', optionalText),
    remote: about('It may be lent to people who work from elsewhere: a flag for consoles.', flag),
    serial_number: optionalText,
    hardware_id: orNone(reference('hardware_profile', 'no action'), 0),
    repo_id: reference('repository', 'no action'),
    netiface: about('The network interface in the live system.', optionalText),
    netdriver: about('The driver of that interface.', optionalText),
    livedir: about('The folder of the live system that it boots.', optionalText),
    maintenance: about('Tasks and schedules leave it out.', flag),
    place: about('Its seat on the map of its room, 1 to 99; null when it has none.', optional(place)),
    tags: tagList,
  },
  'Managed computers.',
)

/** A managed computer. `ip` is unique; `mac` is 12 hex digits; `hardware_id` is a hardware profile, 0 means none. */
export interface Computer extends RecordOf<typeof computer> {}

export const partition = record(
  {
    disk: number,
    partition: about('0: the disk itself.', number),
    code: about('The type in the partition table.', number),
    size: about('KiB.', number),
    used_size: about('Percent.', decimal),
    filesystem: reference('filesystem', 'no action'),
    os: orNone(reference('operating_system', 'no action'), 0),
    image: about('The image that was restored to it, or created from it.', orNone(reference('image', 'set null'), 0)),
    software: orNone(reference('software_profile', 'no action'), 0),
    image_version: about('The version of the image; null when it is not known.', optional(number, 0)),
    image_since: about('When the image came there; null when it is not known.', optional(milliseconds, 0)),
  },
  'The disks of the computers with their partitions, as their agents report them.',
)

/** A row of a computer's disks; partition 0 is the disk itself. `size` in KiB, `used_size` in percent. */
export interface Partition extends RecordOf<typeof partition> {}
