// The schema of the records of the audit log.
import { address, described, integer, like, list, object, text, time } from './objects.ts'
import { done } from './undo.ts'

const change = {
  ...done,
  'names?': described(list(text), 'of several records: the names of 50, first of those that it deleted or added', [
    'pc-1',
  ]),
} as const

/** What commands say of their requests, besides the `name`. */
const details = {
  'change?': {
    ...object(change),
    description: 'what it has deleted, edited or imported, or would have taken back, with the names of that time',
  },
  'undoes?': described(
    integer,
    'the id of what it has, or would have, taken back: the `undo` of an earlier record',
    12,
  ),
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
  'cause?': described(
    { type: 'object', additionalProperties: { type: ['string', 'number'] } } as const,
    'the same for programs, as far as the reason has a `code`, with what it names',
    { code: 'undo-name-taken', name: 'Studio' },
  ),
  'digest?': described(text, 'the SHA-256 of the body, passwords left out'),
  'more?': described(integer, 'so many further refused requests of the caller in a minute have no record'),
}

export const auditResult = object({
  audit: list(object(record)),
  next: described(text, 'for ?after= of the next page; equal to it when there was no more to read', '2026-09.1234'),
})
