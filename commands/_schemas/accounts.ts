// The schemas of tokens, users and the audit log: as callers write them, and in answers.
import { address, described, flag, integer, like, list, object, text, time } from './objects.ts'

const ids = { type: 'array', items: { type: 'integer', minimum: 1 } } as const

export const accountFields = {
  // Characters that a log line and a header can show.
  name: { type: 'string', pattern: '^[^\\p{C}]{1,64}$', description: 'unique, 1 to 64 characters' },
  role: { enum: ['read', 'operate', 'admin'], description: 'each includes the ones before' },
  'centers?': { ...ids, description: 'ids of centers: only their computers; with no center and no room all computers' },
  'rooms?': { ...ids, description: 'ids of rooms: only their computers' },
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
  centers: described(list(integer), 'ids; with no center and no room all computers', []),
  rooms: described(list(integer), 'ids', [1]),
})

/** An entry of `GET /tokens` and `GET /users`. */
export const account = <const More extends Record<string, object>>(more: More) =>
  object({
    id: integer,
    name: described(text, 'unique', 'lab'),
    role,
    centers: described(list(integer), 'ids; with no center and no room all computers', []),
    rooms: described(list(integer), 'ids', [1]),
    created: seconds('when it was added'),
    by: described(text, 'the name of who added it', 'admin'),
    disabled: described(flag, 'it is refused'),
    used: seconds('its last use, 0: never'),
    ...more,
  })

const record = {
  time,
  who: described(text, 'the name of the caller; nobody without right credentials', 'token lab'),
  address: described(text, "the caller's; empty for a schedule", '10.1.0.5'),
  route: described(text, '`schedule` and its id for the run of a schedule', 'POST /poweroff'),
  status: like(integer, 200),
  clients: described(list(address), 'the first three'),
  count: described(integer, 'how many clients', 1),
  'job?': described(integer, 'its id', 7),
  'digest?': described(text, 'the SHA-256 of the body, passwords left out'),
  'more?': described(integer, 'so many further refused requests of the caller in a minute have no record'),
}

export const auditResult = object({
  audit: list(object(record)),
  next: described(text, 'for ?after= of the next page; equal to it when there was no more to read', '2026-09.1234'),
})

/** Records of a page. */
export const auditLimit = 100

export const auditQuery = object({
  'since?': {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{3})?)?Z)?$',
    expected: 'an ISO time in UTC',
    description: 'Only records from this time on; the last day when there is neither `since` nor `after`',
    examples: ['2026-09-14T08:00:00Z'],
  },
  'who?': { type: 'string', description: 'Only records of this caller: `token lab`, or `lab`', examples: ['lab'] },
  'route?': {
    type: 'string',
    description: 'Only this route or path, or paths that begin with it',
    examples: ['/task'],
  },
  'limit?': {
    type: 'string',
    pattern: '^([1-9]\\d{0,2}|1000)$',
    expected: '1 to 1000',
    description: `How many records at most, ${auditLimit} by default`,
    examples: ['100'],
  },
  'after?': {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}\\.\\d{1,15}$',
    expected: 'the `next` of a page',
    description: 'Records after this one: `next` of the page before',
  },
})
