// Pushes computers to GLPI now: the listed ones, or all.
import type { CommandOf } from 'fleet-host'
import { findWatched, markDue, pusher } from './_pushes.ts'
import type pack from './pack.ts'

const payload = {
  type: 'object',
  additionalProperties: false,
  properties: { clients: { $ref: 'clients', description: 'addresses; empty: all computers of the settings' } },
} as const

const returns = {
  type: 'object',
  required: ['computers'],
  properties: { computers: { type: 'integer', description: 'how many are pushed', examples: [1] } },
} as const

export default {
  summary: 'Push computers to GLPI now: the listed ones, or all',
  group: 'Assets',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /assets/push',
  access: 'operate',
  payload,
  body: 'optional',
  returns,
  async answer({ payload, ...context }) {
    const { settings, services, collections } = context
    if (settings.glpi.url === '') return services.refuse('settings: glpi.url is empty')
    const watching = await findWatched(context)
    if (services.isRefusal(watching)) return watching
    const { watched } = watching
    const clients = payload.clients ?? [...watched]
    const other = clients.find(client => !watched.has(client))
    if (other !== undefined) return services.refuse(`clients: the setting glpi.where does not find ${other}`)
    await markDue(clients, services.now(), context)
    await collections.outage.delete('glpi')
    services.hooks.run(pusher)
    return { computers: clients.length }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns; pack: typeof pack }>
