// Lists the computers that somebody is logged in to.
import type { CommandOf } from 'fleet-host'
import { session } from './_schemas/clients.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({
  sessions: list(session, 'the newest login of each client, that its agent has said since it connected'),
})

export default {
  summary: 'List the computers that somebody is logged in to',
  group: 'Clients',
  route: 'GET /sessions',
  scoped: true,
  returns,
  answer({ services, request: { rights } }) {
    const sessions = services.sessions.list()
    return { sessions: rights.isLimited ? sessions.filter(({ client }) => rights.hasClient(client)) : sessions }
  },
} satisfies CommandOf<{ returns: typeof returns }>
