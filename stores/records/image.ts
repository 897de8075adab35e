// Images of partitions.
import { number, optional, type RecordOf, record, text } from './record-columns.ts'

export const image = record({
  id: number,
  name: text,
  description: text,
  repo_id: number,
  type: number,
  datasize: number,
  software_id: number,
  group_id: number,
  /** It belongs to this center; 0: to a room or to all. */
  center_id: number,
  /** It belongs to this room; absent: to its center or to all. */
  room_id: optional(number, 0),
  clonator: text,
  compressor: text,
  filesystem: text,
  /** How often it was created; absent: not known. */
  version: optional(number, 0),
  /** The numbers of the disk and partition that it was made of; absent: not known. */
  disk: optional(number, 0),
  partition: optional(number),
})

/** `datasize` in bytes; `name` is unique, and is the file's name without `.img`. */
export interface Image extends RecordOf<typeof image> {}
