// Reads the stored hardware inventory of a computer.
import type { CommandOf } from 'fleet-host'
import { described, like, list, object, text } from './_schemas/objects.ts'

const payload = object({ client: { $ref: 'client' } })

const item = object({
  type: described(text, 'what it is', 'processor'),
  description: like(text, 'Intel(R) Core(TM) i5-8500 CPU @ 3.00GHz'),
})

const returns = object({ hardware: list(item) })

export default {
  summary: 'Read the hardware of a computer',
  group: 'Inventory',
  route: 'GET /hardware',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { hardware: await services.store.inventory.hardware(ip) }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
