// Managed computers and their partitions.
import { flag, number, optional, type RecordOf, record, text } from './record-columns.ts'

const place = record({ row: number, column: number })

/** A seat on the map of a room: its row and column, 1 to 99. Computers may share one. */
export interface Place extends RecordOf<typeof place> {}

export const computer = record({
  id: number,
  name: text,
  ip: text,
  mac: text,
  room: number,
  netmask: text,
  boot: text,
  remote: flag,
  serial_number: text,
  hardware_id: number,
  repo_id: number,
  netiface: text,
  netdriver: text,
  livedir: text,
  maintenance: flag,
  /** Absent when it has none. */
  place: optional(place),
})

/** A managed computer. `ip` is unique; `mac` is 12 hex digits; `hardware_id` is a hardware profile, 0 means none. */
export interface Computer extends RecordOf<typeof computer> {}

export const partition = record({
  disk: number,
  partition: number,
  code: number,
  size: number,
  used_size: number,
  filesystem: number,
  os: number,
  image: number,
  software: number,
  /** The version of the image, and when it came there in epoch milliseconds; absent when they are not known. */
  image_version: optional(number, 0),
  image_since: optional(number, 0),
})

/** A row of a computer's disks; partition 0 is the disk itself. `size` in KiB, `used_size` in percent. */
export interface Partition extends RecordOf<typeof partition> {}
