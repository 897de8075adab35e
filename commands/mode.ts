// Sets the boot mode of the listed computers and writes their boot files.
import type { Command } from 'fleet-host'
import { strictObject } from './_schemas/objects.ts'

const payload = strictObject({
  clients: { $ref: 'clients' },
  mode: { type: 'string', description: 'one of those that `GET /mode` lists', examples: ['pxe'] },
})

export default {
  summary: 'Set the boot mode of computers',
  group: 'Boot',
  route: 'POST /mode',
  assistants: false,
  access: 'operate',
  payload,
  answer: ({ payload, services }) => services.boot.setMode([...new Set(payload.clients)], payload.mode),
} satisfies Command<typeof payload>
