// The records that an embedded store keeps under the names of their collections.
import { token, user } from './account.ts'
import { center, group, repository, room } from './center.ts'
import { computer } from './computer.ts'
import { image } from './image.ts'
import { job } from './job.ts'
import { document } from './module.ts'
import { procedure, task } from './procedure.ts'
import type { RecordOf, RowOf } from './record-columns.ts'
import { schedule, scheduledCommand } from './scheduled-work.ts'
import { undo } from './undo-item.ts'

export const records = {
  centers: center,
  rooms: room,
  tokens: token,
  users: user,
  repositories: repository,
  groups: group,
  images: image,
  computers: computer,
  procedures: procedure,
  tasks: task,
  errands: scheduledCommand,
  schedules: schedule,
  jobs: job,
  documents: document,
  undos: undo,
}

export type RecordName = keyof typeof records

export type Records = { [Name in RecordName]: RecordOf<(typeof records)[Name]> }

export type RecordRows = { [Name in RecordName]: RowOf<(typeof records)[Name]> }

/** Between records and their rows; for rows whose collection is known only when the program runs. */
interface Codec<Name extends RecordName> {
  /** Only what has a column is stored of a caller's object. */
  store(record: object): RecordRows[Name]
  /** A copy that the reader may change. */
  read(row: object): Records[Name]
}

const codecs: { readonly [Name in RecordName]: Codec<Name> } = records

export const codecOf = <Name extends RecordName>(name: Name): Codec<Name> => codecs[name]

export const isRecordName = (name: string): name is RecordName => Object.hasOwn(codecs, name)
