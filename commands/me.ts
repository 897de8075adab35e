// Shows who the caller is, and what it may do.
import type { CommandOf } from 'fleet-host'
import { caller } from './_schemas/accounts.ts'

export default {
  summary: 'Show who asks, and with which rights',
  group: 'Access',
  route: 'GET /me',
  access: 'read',
  scoped: true,
  returns: caller,
  answer: ({ services, request }) => ({
    ...services.access.me(request.rights),
    last_event_id: services.events.newest(),
  }),
} satisfies CommandOf<{ returns: typeof caller }>
