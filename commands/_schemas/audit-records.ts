// The schemas of the audit log: its records, and the query that selects them.

import { address, described, integer, like, list, object, text, time } from './objects.ts'
import { done } from './undo.ts'

/** What commands say of their requests, besides the `name`. */
const details = {
  'change?': { ...object(done), description: 'what it has deleted, edited or imported, with the names of that time' },
  'undoes?': described(integer, 'the id of what it has taken back: the `undo` of an earlier record', 12),
} as const

export const auditDetails = object(details)

const record = {
  time,
  who: described(text, 'the name of the caller; nobody without right credentials', 'token lab'),
  address: described(text, "the caller's; empty for a schedule", '10.1.0.5'),
  route: described(text, '`schedule` and its id for the run of a schedule', 'POST /poweroff'),
  status: like(integer, 200),
  clients: described(list(address), 'the first three'),
  'names?': described(list(text), 'of these at that time, of accepted requests; empty without a record', ['pc-1']),
  count: described(integer, 'how many clients', 1),
  'name?': described(
    text,
    'what a request is about: the `name` of its body, or what it has changed, deleted or taken back, in words; of a ' +
      'refused login the user, or `an unknown name`',
    'room Studio with 12 computers',
  ),
  'job?': described(integer, 'its id', 7),
  'undo?': described(integer, 'the id of what it has changed in `GET /undo`, while that can be taken back', 12),
  ...details,
  'tried?': described(
    { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } } as const,
    'the short values of a refused body, without lists and computers; with a password in it only its `id`, and nothing ' +
      'of what is sent to computers',
    { room: 7, name: 'Studio' },
  ),
  'reason?': described(text, 'why it was refused, at most 200 characters', 'room: there is no room 7'),
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
