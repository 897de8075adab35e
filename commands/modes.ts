// Lists the boot modes.
import type { CommandOf } from 'fleet-host'
import { described, like, list, object, text } from './_schemas/objects.ts'

const returns = object({
  modes: like(list(text, 'their names, sorted'), ['00unknown', '10', '11', 'pxe']),
  'descriptions?': list(
    object({
      mode: like(text, 'pxe'),
      description: described(text, 'of its template', 'The live system, over the network.'),
    }),
    'with that key in the query: of the modes whose templates have one',
  ),
})
const query = object({ 'descriptions?': { enum: ['1'], description: '`1`: also what the modes do' } })

export default {
  summary: 'List boot modes',
  group: 'Boot',
  route: 'GET /mode',
  returns,
  scoped: true,
  query,
  answer: async ({ services: { boot }, request: { query } }) => ({
    modes: await boot.modes(),
    ...(query.descriptions && { descriptions: await boot.describeModes() }),
  }),
} satisfies CommandOf<{ returns: typeof returns; query: typeof query }>
