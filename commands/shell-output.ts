// Reads the output of the last script on each listed client; unknown addresses are left out.
import type { CommandOf } from 'fleet-host'
import { address, described, list, object, clientsOnly as payload, text } from './_schemas/objects.ts'

const entry = object({
  addr: address,
  output: described(text, 'at most the first 4095 characters', 'Linux pc-20 6.8.0-45-generic x86_64 GNU/Linux\n'),
})

const returns = object({ clients: list(entry, 'without unknown addresses') })

export default {
  summary: 'Read the output of the last shell script',
  group: 'Clients',
  route: 'POST /shell/output',
  http: { prefix: true },
  returns,
  access: 'read',
  payload,
  async answer({ payload, services }) {
    const { fleet, store } = services
    const entries = payload.clients.map(async addr => {
      const exists = fleet.has(addr) || (await store.computers.find(addr)) !== undefined
      return exists ? [{ addr, output: await fleet.output(addr) }] : []
    })
    return { clients: (await Promise.all(entries)).flat() }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
