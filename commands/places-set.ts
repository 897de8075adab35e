// Sets the places of computers on the maps of their rooms: of all of them, or of none.
import type { Command } from 'fleet-host'
import { seat } from './_schemas/computer-fields.ts'
import { object } from './_schemas/objects.ts'

const number = { ...seat, type: ['integer', 'null'] } as const

const payload = object({
  places: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['client', 'row'],
      properties: {
        client: { $ref: 'ipv4' },
        row: { ...number, description: '1 to 99; null: the computer has no place any more' },
        column: { ...number, description: '1 to 99; not needed without a row' },
      },
    },
    description: 'of each computer its address, and its row and column, 1 to 99',
  },
})

export default {
  summary: 'Set the places of computers on the maps of their rooms',
  group: 'Centers, rooms and computers',
  example: { places: [{ client: '10.1.1.20', row: 1, column: 4 }] },
  route: 'POST /places',
  payload,
  answer({ payload, services }) {
    const places = []
    for (const { client, row, column = null } of payload.places) {
      if ((row === null) !== (column === null)) return services.refuse(`places: ${client}: expected row and column`)
      places.push({ client, place: row === null || column === null ? null : { row, column } })
    }
    return services.computers.arrange(places)
  },
} satisfies Command<typeof payload>
