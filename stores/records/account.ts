// Tokens and users. Times are seconds since 1970, 0 means never.
import {
  about,
  flag,
  list,
  number,
  oneOf,
  optional,
  optionalText,
  orNone,
  type RecordOf,
  record,
  seconds,
  text,
} from './record-columns.ts'

/** Each role includes the ones before. */
export type Role = 'read' | 'operate' | 'admin'

export const user = record(
  {
    id: number,
    name: about('Unique.', text),
    hash: about('Of the secret, which is not stored.', text),
    role: about('Each one includes the ones before: read, operate, admin.', oneOf<Role>(['read', 'operate', 'admin'])),
    // As ids are never assigned twice, the id of one that is deleted grants nothing; an emptied list would grant everything.
    centers: about(
      'The ids of the centers that it is limited to, also of deleted ones; no limit when rooms is empty, too.',
      list(number),
    ),
    rooms: about('The ids of the rooms that it is limited to, also of deleted ones.', list(number)),
    groups: about(
      'The ids of the groups that it is limited to, besides centers and rooms; null: none.',
      optional(list(number)),
    ),
    created: seconds,
    by: about('The name of who made it.', optionalText),
    disabled: flag,
    used: about('Its last use; null: never.', orNone(seconds, 0)),
  },
  'People who may log in.',
)

export const token = record(
  {
    ...user.columns,
    expires: about(
      'Seconds since 1970; null: never. A number: callers may write one that is later than all times.',
      orNone(number, 0),
    ),
  },
  'Tokens of programs.',
)

/** What tokens and users have in common. */
export interface Account extends RecordOf<typeof user> {}

/** For people, with a password. `hash` is the text of its scrypt hash, with salt and parameters. */
export type User = Account

/** For programs. `hash` is the SHA-256 of the token's secret part, in hexadecimal digits. */
export interface Token extends RecordOf<typeof token> {}
