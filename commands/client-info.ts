// Reads the record of a computer.
import type { CommandOf } from 'fleet-host'
import { computerFields, oneAddress } from './_schemas/computer-fields.ts'
import { described, integer, like, object } from './_schemas/objects.ts'

const payload = object({ client: oneAddress })

const { place: _, tags, ...stored } = computerFields

const returns = object({
  id: like(integer, 20),
  ...stored,
  center: described(integer, 'id of its center', 1),
  'place?': described(object({ row: like(integer, 1), column: like(integer, 4) }), 'its seat; absent when it has none'),
  'tags?': tags,
})

export default {
  summary: 'Read a computer record',
  group: 'Centers, rooms and computers',
  route: 'GET /client/info',
  http: { prefix: true },
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return (await services.store.computers.find(ip)) ?? services.refuse(`client: there is no computer ${ip}`)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
