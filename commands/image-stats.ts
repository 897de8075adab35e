// Lists on how many computers which version of each image is, or with ?image= on which computers, and since when.
import type { Command } from 'fleet-host'
import { address, described, integer, list, object, text, time } from './_schemas/objects.ts'

const versions = object({
  version: described(integer, '0: not known', 3),
  computers: described(integer, 'how many have it', 24),
  'first?': described(time, 'when the first of them got it'),
  'last?': described(time, 'when the last of them got it'),
})
const copy = object({
  client: address,
  disk: integer,
  partition: integer,
  version: described(integer, '0: not known', 3),
  'since?': described(time, 'when it came there; absent when that is not known'),
})
const image = object({
  id: integer,
  name: described(text, 'the file is `<name>.img`', 'ubuntu'),
  version: described(integer, 'the newest one; 0: not known', 3),
  versions: list(versions, 'the newest first'),
  'copies?': list(copy, 'with `image`: the computers that have it, by address'),
})
const query = object({
  'image?': {
    type: 'string',
    pattern: '^[0-9]+$',
    description: 'only this image, with its computers',
    examples: ['1'],
  },
  'after?': { $ref: 'ipv4', description: '`next` of the page before' },
})

export default {
  summary: 'List which computers have which version of an image',
  group: 'Disks and images',
  route: 'GET /image/stats',
  heavy: true,
  returns: object({ images: list(image), 'next?': described(text, 'for `after` of the next page') }),
  scoped: true,
  query,
  answer: ({ services, request: { query, rights } }) =>
    services.images.stats(rights, query.image === undefined ? undefined : Number(query.image), query.after),
} satisfies Command<undefined, undefined, typeof query>
