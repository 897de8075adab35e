// Reads which operating systems are installed on a computer.
import type { CommandOf } from 'fleet-host'
import { described, integer, like, list, object, strictObject, text } from './_schemas/objects.ts'

const payload = strictObject({ client: { $ref: 'client' } })

const session = object({
  disk: like(integer, 1),
  partition: like(integer, 2),
  name: described(text, 'the operating system', 'Ubuntu 24.04 LTS 64 bits'),
})

const returns = object({ sessions: list(session) })

export default {
  summary: 'Read the operating systems of a computer',
  group: 'Inventory',
  route: 'GET /session',
  http: { prefix: true },
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { sessions: await services.store.inventory.sessions(ip) }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
