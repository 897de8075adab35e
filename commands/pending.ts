// Lists the connected clients that have no computer record, with what their agents have said of them.
import type { Command } from 'fleet-host'
import { address, described, integer, list, object, text, time } from './_schemas/objects.ts'

const client = object({
  client: address,
  'name?': described(text, 'the host name that its agent has said', 'pc-20'),
  'mac?': described(text, 'hardware address: 12 hex digits, of its agent or of the neighbour table', '001b210a0b0c'),
  'serial?': described(text, 'serial number', '5CG1234XYZ'),
  'os?': described(text, 'operating system', 'Debian GNU/Linux 13'),
  'agent?': described(text, 'program and version of its agent', 'fleet-agent 1.0'),
  since: described(time, 'ISO time of its connection'),
})

export default {
  summary: 'List connected clients without a computer record',
  group: 'Clients',
  route: 'GET /pending',
  access: 'operate',
  scoped: true,
  returns: object({
    pending: list(client, 'the oldest connection first; none for a caller limited to some rooms'),
    'omitted?': described(integer, 'how many more there are, which the response has no space for; absent: none'),
    'install_url?': described(
      text,
      'the script that installs the agent for Linux, for other computers; absent when rest.ip lets only the server itself use the API',
      'http://10.1.1.1:8888/agent/install.sh',
    ),
  }),
  async answer({ services, request }) {
    if (request.rights.isLimited) return { pending: [] }
    const url = services.agentProgram.installUrl(request)
    return { ...(await services.pending.list()), ...(url !== undefined && { install_url: url }) }
  },
} satisfies Command
