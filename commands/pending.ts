// Lists the connected clients that have no computer record, with what their agents have said of them, and refused ones.
import type { CommandOf } from 'fleet-host'
import { pendingClient, refusedClient } from './_schemas/clients.ts'
import { described, integer, list, object, text } from './_schemas/objects.ts'

const returns = object({
  pending: list(pendingClient, 'the oldest connection first; none for a caller limited to some rooms'),
  'omitted?': described(integer, 'how many more there are, which the response has no space for; absent: none'),
  'refused?': list(
    refusedClient,
    'of this host: whose connections were refused, computers first, then the latest; of many addresses without a record not all',
  ),
  'refused_connections?': described(integer, 'how many connections this host has refused since it started', 12),
  'install_url?': described(
    text,
    'the script that installs the agent for Linux, for other computers; absent when rest.ip lets only the server itself use the API',
    'http://10.1.1.1:8888/agent/install.sh',
  ),
})

export default {
  summary: 'List connected clients without a computer record, and refused ones',
  group: 'Clients',
  route: 'GET /pending',
  access: 'operate',
  scoped: true,
  returns,
  async answer({ services, request }) {
    if (request.rights.isLimited) return { pending: [] }
    const url = services.agentProgram.installUrl(request)
    return { ...(await services.pending.list()), ...(url !== undefined && { install_url: url }) }
  },
} satisfies CommandOf<{ returns: typeof returns }>
