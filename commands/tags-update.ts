// Adds tags to computers and removes tags from them: on all of them, or on none.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const list = (description: string) => ({ $ref: 'tags', description }) as const

// `clients` is not among the required keys themselves: limited callers could else change which groups they have.
const payload = {
  ...object({
    'clients?': { $ref: 'clients' },
    'add?': list('tags that the computers get'),
    'remove?': list('tags that they lose'),
  }),
  anyOf: [{ required: ['clients', 'add'] }, { required: ['clients', 'remove'] }],
} as const

export default {
  summary: 'Add tags to computers, and remove tags',
  group: 'Centers, rooms and computers',
  example: { clients: ['10.1.1.20'], add: ['cad'], remove: ['exam'] },
  route: 'POST /tags/update',
  payload,
  answer({ payload: { clients = [], add = [], remove = [] }, services, request }) {
    return services.computers.tag(clients, { add, remove }, request)
  },
} satisfies Command<typeof payload>
