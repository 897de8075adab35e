// The schemas of tokens and users: as callers write them, and in answers.
import { described, flag, integer, list, object, text, time } from './objects.ts'

const ids = { type: 'array', items: { type: 'integer', minimum: 1 } } as const

export const accountFields = {
  // Characters that a log line and a header can show.
  name: { type: 'string', pattern: '^[^\\p{C}]{1,64}$', description: 'unique, 1 to 64 characters' },
  role: { enum: ['read', 'operate', 'admin'], description: 'each includes the ones before' },
  'centers?': {
    ...ids,
    description: 'ids of centers: only their computers; with no center, room and group all computers',
  },
  'rooms?': { ...ids, description: 'ids of rooms: only their computers' },
  'groups?': { ...ids, description: 'ids of groups of computers: only these' },
} as const

export const disabled = { type: 'boolean', description: 'true: it is refused' } as const

export const expires = { type: 'integer', minimum: 0, description: 'seconds since 1970; 0: never' } as const

export const password = {
  type: 'string',
  minLength: 8,
  maxLength: 256,
  description: '8 to 256 characters',
  // Error texts do not show it.
  writeOnly: true,
} as const

const role = { enum: ['read', 'operate', 'admin'], examples: ['operate'] } as const
const seconds = (meaning: string) => described(integer, `seconds since 1970; ${meaning}`, 1_789_372_800)

/** What `GET /me` and `POST /login` answer. */
export const caller = object({
  name: described(text, 'admin, or the name after `token` or `user`', 'user anna'),
  role,
  centers: described(list(integer), 'ids; with no center, room and group all computers', []),
  rooms: described(list(integer), 'ids', [1]),
  'groups?': described(list(integer), 'ids of groups of computers'),
  'provider?': described(flag, 'true: the provider of the option `oidc` logs this user in, who has no password here'),
  version: described(text, 'of the daemon', '0.1.0'),
  'last_event_id?': described(integer, 'of GET /me: of the newest event, for `GET /events`', 42),
})

/** A login by the provider, as administrators see it. */
export const receivedClaims = object({
  time,
  'rule?': described(integer, 'the index in `oidc.rules` of the rule that matched', 0),
  'reason?': described(text, 'why the person was refused'),
  'claims?': described(
    { type: 'object' } as const,
    'what the provider said of the person; absent when it said nothing',
    {
      sub: '7f1c',
      preferred_username: 'anna',
      groups: ['/teachers'],
    },
  ),
})

/** An entry of `GET /tokens` and `GET /users`. */
export const account = <const More extends Record<string, object>>(more: More) =>
  object({
    id: integer,
    name: described(text, 'unique', 'lab'),
    role,
    centers: described(list(integer), 'ids; with no center, room and group all computers', []),
    rooms: described(list(integer), 'ids', [1]),
    'groups?': described(list(integer), 'ids of groups of computers'),
    created: seconds('when it was added'),
    by: described(text, 'the name of who added it', 'admin'),
    disabled: described(flag, 'it is refused'),
    used: seconds('its last use, 0: never'),
    ...more,
  })
