// Lists the groups of computers.
import type { CommandOf } from 'fleet-host'
import { groupResult } from './_schemas/groups.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({ groups: list(groupResult, 'in the order in which they were added') })

export default {
  summary: 'List groups of computers',
  group: 'Centers, rooms and computers',
  route: 'GET /groups',
  returns,
  scoped: true,
  heavy: true,
  body: 'none',
  async answer({ services, request }) {
    return { groups: await services.groups.list(request.rights) }
  },
} satisfies CommandOf<{ returns: typeof returns }>
