// Checks of computers by scripts of the site.
import type { Pack } from 'fleet-host'

const settings = {
  type: 'object',
  properties: {
    folder: { type: 'string', default: '/opt/checks', description: 'of the scripts' },
    mail: { type: 'string', format: 'email' },
    from: { type: 'string', format: 'date-time' },
    server: {
      type: 'object',
      properties: {
        url: { type: 'string', format: 'uri' },
        password: { type: 'string', writeOnly: true },
      },
    },
  },
} as const

const collections = {
  results: {
    type: 'object',
    required: ['word', 'runs'],
    properties: { word: { type: 'string' }, runs: { type: 'integer' }, key: { type: 'string', writeOnly: true } },
  },
  jobs: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
} as const

export default {
  contract: 3,
  summary: 'Checks of computers',
  version: '1.2.0',
  settings,
  collections,
  check: ({ settings, services }) =>
    settings.server?.url && !settings.server.password ? services.refuse('server.password: expected one') : undefined,
} as const satisfies Pack<typeof settings, typeof collections>
