// Counts how much the rooms are used, without names, and what energy that takes.
import type { Pack } from 'fleet-host'
import { collections, settings } from './_usage-schemas.ts'

export default {
  contract: 3,
  summary: 'How much the labs are used: hours, systems, log-ins, energy, free computers',
  version: '1.0.0',
  settings,
  collections,
  async check({ settings, services }) {
    const { room_watts, free_seats } = settings
    for (const id of [...room_watts.map(({ room }) => room), ...free_seats])
      if (!(await services.store.rooms.find(id)))
        return services.refuse(`expected ids of rooms, there is no room ${id}`)
    return undefined
  },
} as const satisfies Pack<typeof settings>
