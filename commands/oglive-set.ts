// Sets the live system of the listed computers and writes their boot files.
import type { Command } from 'fleet-host'
import { like, strictObject } from './_schemas/objects.ts'

const payload = strictObject({
  clients: { $ref: 'clients' },
  name: like(
    { type: 'string', minLength: 1, description: 'a `directory` of `GET /oglive/list`, or default' },
    'ogLive',
  ),
})

export default {
  summary: 'Set the live system of computers',
  group: 'Boot',
  route: 'POST /oglive/set',
  assistants: false,
  access: 'operate',
  payload,
  answer({ payload: { clients, name }, services }) {
    // Consoles send `default` for the first entry of their list, which is the live system of every new computer.
    return services.boot.setLiveSystem([...new Set(clients)], name === 'default' ? 'ogLive' : name)
  },
} satisfies Command<typeof payload>
