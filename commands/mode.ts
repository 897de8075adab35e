// Gives the listed computers a boot mode, and writes their boot files.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'mode'],
  additionalProperties: false,
  properties: { clients: { $ref: 'clients' }, mode: { type: 'string' } },
} as const

export default {
  summary: 'Set the boot mode of computers',
  example: { clients: ['10.1.1.20'], mode: 'pxe' },
  route: 'POST /mode',
  payload,
  answer: ({ clients, mode }, { boot }) => boot.setMode([...new Set(clients)], mode),
} satisfies Command<typeof payload>
