// No checks while a lesson is given, with settings of its own.
import type { Hook } from 'fleet-host'

const own = {
  settings: {
    type: 'object',
    properties: { rooms: { type: 'array', items: { type: 'integer' }, default: [], description: 'ids of rooms' } },
  },
} as const

export default {
  contract: 3,
  ...own,
  summary: 'No checks in lessons',
  before: ['check-run', 'site-wipe'],
  onError: 'allow',
  async check({ command, payload, clients, rights, settings, services }) {
    if (payload.number === '8') throw new Error('the timetable does not answer')
    if (payload.number === '6') return services.refuse(`${command}: not for ${rights.name}`, 403)
    const computers = await services.store.computers.findMany(clients)
    const quiet = computers.filter(({ room }) => settings.rooms.includes(room))
    return new Map(quiet.map(({ ip }) => [ip, 'a lesson is given']))
  },
} satisfies Hook<typeof own>
