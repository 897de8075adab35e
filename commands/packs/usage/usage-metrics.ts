// Answers how many computers of each room are on, in use and free now, in the text format of Prometheus.
import type { CommandOf } from 'fleet-host'
import { countRooms } from './_usage-now.ts'
import { mayRead } from './_usage-rows.ts'
import type pack from './pack.ts'

const label = (text: string) => text.replace(/[\\"\n]/g, mark => (mark === '\n' ? '\\n' : `\\${mark}`))

export default {
  summary: 'Read how many computers of each room are in use, for Prometheus',
  group: 'Usage',
  route: 'GET /usage/metrics',
  mediaType: 'text/plain',
  scoped: true,
  async answer({ request: { rights }, services }) {
    const { rooms, free } = await countRooms(services)
    const shown = (await services.store.rooms.list()).filter(({ id }) => mayRead(rights)(id))
    const gauge = (name: string, help: string, countOf: (room: number) => number | undefined) => {
      const lines = shown.map(({ id, name: room }) => `${name}{id="${id}",room="${label(room)}"} ${countOf(id) ?? 0}`)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ''].join('\n')
    }
    const body = [
      gauge('fleet_room_computers', 'Computers of the room', id => rooms[id]?.has),
      gauge('fleet_room_on', 'Computers that are on', id => rooms[id]?.on),
      gauge('fleet_room_in_use', 'Computers with somebody logged in', id => rooms[id]?.use),
      gauge('fleet_room_free', 'Computers that somebody may sit down at', id => free.get(id)),
    ]
    return services.text('text/plain; version=0.0.4; charset=utf-8', body.join(''))
  },
} satisfies CommandOf<{ pack: typeof pack }>
