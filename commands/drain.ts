// Prepares a restart: no new work for clients is accepted, while running parts may end.
import type { CommandOf } from 'fleet-host'
import { drainState } from './_schemas/server.ts'

const payload = { type: 'object', properties: { cancel: { type: 'boolean' } } } as const

export default {
  summary: 'Accept no new work for clients before a restart, or again with cancel',
  group: 'Server',
  example: { cancel: true },
  route: 'POST /drain',
  access: 'admin',
  returns: drainState,
  payload,
  body: 'optional',
  answer({ payload, services: { drain } }) {
    if (payload.cancel) drain.cancel()
    else drain.start()
    return drain.state()
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof drainState }>
