// The records of tokens and users. Types only.
//
// Times are seconds since 1970, 0 means never.

/** Each role includes the ones before. */
export type Role = 'read' | 'operate' | 'admin'

/** What tokens and users have in common. */
export interface Account {
  id: number
  /** Unique among the tokens, or among the users. */
  name: string
  /** The store never has the secret itself. */
  hash: string
  role: Role
  /**
   * It is limited to the computers of these centers and rooms; with two empty lists it is not limited. A center or room
   * that is deleted stays in its list: as ids are never assigned twice it grants nothing, and an emptied list would grant
   * everything.
   */
  centers: number[]
  rooms: number[]
  created: number
  /** The name of who made it. */
  by: string
  disabled: boolean
  /** Its last use. */
  used: number
}

/** For programs. `hash` is the SHA-256 of the token's secret part, in hexadecimal digits. */
export interface Token extends Account {
  expires: number
}

/** For people, with a password. `hash` is the text of its scrypt hash, with salt and parameters. */
export type User = Account

/** Why a token or user cannot be stored. */
export type AccountConflict = 'name taken' | 'unknown center' | 'unknown room'
