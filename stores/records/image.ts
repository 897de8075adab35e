// Images of partitions.
import {
  about,
  number,
  optional,
  optionalText,
  orNone,
  type RecordOf,
  record,
  reference,
  text,
} from './record-columns.ts'

export const image = record(
  {
    id: number,
    name: about("Unique; the file's name without .img.", text),
    description: optionalText,
    repo_id: reference('repository', 'no action'),
    type: number,
    datasize: about('Bytes.', number),
    software_id: orNone(reference('software_profile', 'no action'), 0),
    group_id: about('A group of images, for consoles.', orNone(number, 0)),
    center_id: about(
      'The center that it belongs to, which may be gone; null: it belongs to a room or to all.',
      orNone(reference('center'), 0),
    ),
    room_id: about(
      'The room that it belongs to, which may be gone; null: it belongs to its center or to all.',
      optional(reference('room'), 0),
    ),
    clonator: optionalText,
    compressor: optionalText,
    filesystem: optionalText,
    version: about('How often it was created; null: not known.', optional(number, 0)),
    disk: about('The number of the disk that it was made of; null: not known.', optional(number, 0)),
    partition: about('The number of the partition that it was made of; null: not known.', optional(number)),
  },
  'Images of partitions.',
)

/** `datasize` in bytes; `name` is unique, and is the file's name without `.img`. */
export interface Image extends RecordOf<typeof image> {}
