// Says how this server is, or one client of it, and what to do about what is wrong.
import type { CommandOf } from 'fleet-host'
import { oneAddress } from './_schemas/computer-fields.ts'
import { finding } from './_schemas/findings.ts'
import { described, list, object, text, time } from './_schemas/objects.ts'

const payload = object({ 'client?': oneAddress })

const returns = object({
  host: described(text, 'the host that answers: each one says its own', 'fleet-a'),
  version: described(text, 'of its daemon', '0.1.0'),
  time,
  findings: list(finding, 'without a client those of the server'),
})

export default {
  summary: 'Say how the server or one client is, and what to do',
  group: 'Server',
  route: 'GET /doctor',
  scoped: true,
  heavy: true,
  payload,
  body: 'optional',
  returns,
  async answer({ payload, services, request: { rights } }) {
    const { diagnosis } = services
    const [addr] = payload.client ?? []
    if (rights.isLimited && !(addr && rights.hasClient(addr)))
      return services.refuse('client: expected a computer in the rooms of the token', 403)
    const findings = await (addr === undefined ? diagnosis.server() : diagnosis.client(addr))
    return { ...diagnosis.host(), time: new Date(services.now()).toISOString(), findings }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
