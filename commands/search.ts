// Finds computers by what is known of them, and lists what is asked for of each.
import type { CommandOf } from 'fleet-host'
import { found, searchQuery as query } from './_schemas/fleet-inventory.ts'
import { described, list, object, text } from './_schemas/objects.ts'

const returns = object({
  total: described({ type: 'integer' }, 'how many computers there are on all pages', 1),
  computers: list(found, 'in the order in which they were added, unless `sort` names another'),
  'next?': described(text, 'for `after`, when more follow', '20'),
  'reason?': described(
    text,
    'of none, with `explain`: the condition that no computer meets, with its place',
    'at 1: no computer has room:lab',
  ),
  'meant?': described(text, 'of none, with `explain`: a query that may have been meant', 'room:"Lab 1"'),
})

export default {
  summary: 'Find computers',
  group: 'Centers, rooms and computers',
  route: 'GET /search',
  returns,
  scoped: true,
  query,
  async answer({ services, request }) {
    if (request.query.format !== 'csv') return services.fleetInventory.list(request.query, request.rights)
    const lines = await services.fleetInventory.csv(request.query, request.rights)
    return services.isRefusal(lines) ? lines : services.text('text/csv; charset=utf-8', lines)
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
