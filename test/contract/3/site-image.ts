// Copies an image as the site names its files.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'name', 'repository'],
  properties: { clients: { $ref: 'clients' }, name: { type: 'string' }, repository: { type: 'string' } },
} as const

export default {
  contract: 3,
  summary: 'Copy the first partition',
  route: 'POST /site/image',
  payload,
  imaging: 'write',
  forward: { to: 'POST /site/image', endsOn202: true },
} satisfies Command<typeof payload>
