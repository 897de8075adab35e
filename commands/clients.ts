// Lists wake-up entries and connected clients with their state.
import type { Command } from 'fleet-host'
import { address, described, integer, list, result } from './_result-schemas.ts'

const client = result(
  {
    addr: address,
    state: { enum: ['OFF', 'BSY', 'OPG', 'VDI', 'WOL_SENT', 'LNX', 'LNXS', 'WIN', 'WINS'] },
    speed: described(integer, 'Mbit/s'),
    last_cmd: result({ result: { enum: ['unknown', 'success', 'failure'] } }),
    status: { enum: ['oglive', 'busy', 'virtual', 'linux', 'linux-session', 'windows', 'windows-session'] },
  },
  ['speed', 'status'],
)
const returns = result({ clients: list(client, 'clients that are being woken first, then connected ones') })

export default {
  summary: 'List clients and their state',
  route: 'GET /clients',
  returns,
  answer: ({ services }) => ({ clients: services.fleet.clients() }),
} satisfies Command
