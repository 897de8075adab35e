// Puts the files of a pack in service.
import type { Command } from 'fleet-host'
import { packPayload } from './_schemas/packs.ts'

export default {
  summary: 'Enable a pack',
  group: 'Modules',
  route: 'POST /pack/enable',
  access: 'admin',
  payload: packPayload,
  async answer({ payload, services, request }) {
    const enabled = await services.packs.enable(payload.pack)
    if (services.isRefusal(enabled)) return enabled
    if (enabled.problem !== undefined) request.warn(enabled.problem)
  },
} satisfies Command<typeof packPayload>
