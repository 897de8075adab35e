// The schemas of groups of computers: as callers write them, and in answers.
import { address, described, integer, like, list, object, text } from './objects.ts'

const where = {
  type: 'string',
  description: 'a query for computers: see the documentation of the search',
  examples: ['room:"Lab 1" tag:exam'],
} as const

const group = { type: 'integer', minimum: 1, description: 'id of a group of computers', examples: [1] } as const

/** Computers that are found each time it runs, in place of other targets. */
export const foundTargets = { 'where?': where, 'group?': group } as const

/** Whom a record is for, in answers. */
export const targetWords = object({
  kind: {
    enum: ['list', 'rooms', 'centers', 'group', 'query'],
    description: 'a list of computers stays as it is; all others are found each time it runs',
    examples: ['rooms'],
  },
  names: list(
    like(text, 'Lab 1'),
    'of the rooms, centers or group, or the query, which limited callers do not get; of a list those of rooms whose computers it has, all and no others',
  ),
  'computers?': described(integer, 'how many computers they are now; absent of a query and a group', 24),
})

const addresses = { type: 'array', items: { $ref: 'ipv4' }, description: 'addresses of its computers' } as const

/** Exactly one of `where` and `clients`. */
export const groupFields = {
  // What queries can name.
  name: {
    type: 'string',
    pattern: '^[^"\\p{C}]{1,64}$',
    description: 'unique; not a number',
    examples: ['Exam seats'],
  },
  'where?': { ...where, pattern: '\\S', expected: 'a query' },
  'clients?': addresses,
} as const

export const groupResult = object({
  id: integer,
  name: like(text, 'Exam seats'),
  'where?': { ...text, description: 'the query; absent of a list, and for limited callers' },
  'clients?': described(list(address), 'the list; absent of a query, and for limited callers'),
  computers: described(integer, 'how many computers it has now that the caller may see', 12),
  'problem?': described(text, 'why its query finds nothing; not for limited callers'),
})
