// Lists wake-up entries and connected clients with their state.
import type { Command } from 'fleet-host'
import { address, described, integer, list, object } from './_schemas/objects.ts'

const client = object({
  addr: address,
  state: {
    enum: ['OFF', 'BSY', 'OPG', 'VDI', 'WOL_SENT', 'LNX', 'LNXS', 'WIN', 'WINS'],
    description:
      'OPG: the live system waits for commands; BSY: it executes one; VDI: a virtual desktop; OFF: Linux or Windows runs; WOL_SENT: it was woken and has not connected; the others in place of OFF with the option `rest.os_states`',
    examples: ['OPG'],
  },
  'speed?': described(integer, 'Mbit/s', 1000),
  last_cmd: object({
    result: {
      enum: ['unknown', 'success', 'failure'],
      description: 'of the last command that ended; unknown: none has since it connected',
      examples: ['success'],
    },
  }),
  'status?': {
    enum: ['oglive', 'busy', 'virtual', 'linux', 'linux-session', 'windows', 'windows-session'],
    description: 'the same in words, also without that option',
    examples: ['oglive'],
  },
})

export default {
  summary: 'List clients and their state',
  group: 'Clients',
  route: 'GET /clients',
  returns: object({ clients: list(client, 'clients that are being woken first, then connected ones') }),
  scoped: true,
  answer({ services, request: { rights } }) {
    const clients = services.fleet.clients()
    return { clients: rights.isLimited ? clients.filter(({ addr }) => rights.hasClient(addr)) : clients }
  },
} satisfies Command
