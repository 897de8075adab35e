// Tokens and users. Times are seconds since 1970, 0 means never.
import { flag, list, number, plain, type RecordOf, record, text } from './record-columns.ts'

/** Each role includes the ones before. */
export type Role = 'read' | 'operate' | 'admin'

export const user = record({
  id: number,
  /** Unique among the tokens, or among the users. */
  name: text,
  /** The store never has the secret itself. */
  hash: text,
  role: plain<Role>(),
  /**
   * It is limited to the computers of these centers and rooms; with two empty lists it is not limited. A center or room
   * that is deleted stays in its list: as ids are never assigned twice it grants nothing, and an emptied list would grant
   * everything.
   */
  centers: list(number),
  rooms: list(number),
  created: number,
  /** The name of who made it. */
  by: text,
  disabled: flag,
  /** Its last use. */
  used: number,
})

export const token = record({ ...user.columns, expires: number })

/** What tokens and users have in common. */
export interface Account extends RecordOf<typeof user> {}

/** For people, with a password. `hash` is the text of its scrypt hash, with salt and parameters. */
export type User = Account

/** For programs. `hash` is the SHA-256 of the token's secret part, in hexadecimal digits. */
export interface Token extends RecordOf<typeof token> {}
