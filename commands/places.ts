// Reads the places of the computers: where each one is on the map of its room.
import type { CommandOf } from 'fleet-host'
import { address, integer, like, list, object } from './_schemas/objects.ts'

const place = object({ client: address, row: like(integer, 1), column: like(integer, 4) })

const returns = object({ places: list(place, 'of the computers that have one, in the order of their ids') })

export default {
  summary: 'Read the places of computers on the maps of their rooms',
  group: 'Centers, rooms and computers',
  route: 'GET /places',
  scoped: true,
  returns,
  async answer({ services, request: { rights } }) {
    const computers = await services.store.computers.list()
    const places = computers.flatMap(({ ip, place }) =>
      place && (!rights.isLimited || rights.hasClient(ip))
        ? [{ client: ip, row: place.row, column: place.column }]
        : [],
    )
    return { places }
  },
} satisfies CommandOf<{ returns: typeof returns }>
