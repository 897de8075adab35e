// Ends reservations at the request of an administrator of the computers.
import type { CommandOf } from 'fleet-host'
import { endReservation } from './_reservations.ts'
import type pack from './pack.ts'

const payload = {
  type: 'object',
  required: ['clients'],
  properties: {
    clients: { $ref: 'clients' },
    poweroff: { type: 'boolean', description: 'whether the computers are powered off, too' },
  },
} as const

export default {
  summary: 'End remote sessions',
  group: 'Remote labs',
  example: { clients: ['10.1.1.20'], poweroff: true },
  route: 'POST /remote-labs/release',
  access: 'operate',
  confirm: 'ask',
  payload,
  async answer({ payload: { clients, poweroff = false }, request, ...context }) {
    const ending = { why: `released by ${request.rights.name}`, off: poweroff }
    const ended = await Promise.all(clients.map(ip => endReservation(context, ip, ending)))
    return ended.includes(true) ? undefined : context.services.refuse('clients: none has a reservation')
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
