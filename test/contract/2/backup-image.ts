// Copies an image as the site names its files.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'name', 'repository'],
  properties: { clients: { $ref: 'clients' }, name: { type: 'string' }, repository: { type: 'string' } },
} as const

export default {
  summary: 'Copy the first partition',
  route: 'POST /site/image',
  payload,
  imaging: true,
  forward: { to: 'POST /site/image', createsImage: true, endsOn202: true },
} satisfies Command<typeof payload>
