// Sets the name of a computer, or shows what it would set.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['ip', 'name'],
  properties: { ip: { $ref: 'ipv4' }, name: { type: 'string', minLength: 1 }, dry_run: { type: 'boolean' } },
} as const

export default {
  summary: 'Name a computer',
  route: 'POST /label',
  access: 'operate',
  payload,
  computerKey: 'ip',
  previewKey: 'dry_run',
  body: 'required',
  async answer({ payload, services, request }) {
    const computer = await services.store.computers.find(payload.ip)
    if (!computer) return services.refuse(`ip: no computer ${payload.ip}`)
    if (payload.dry_run) return { from: computer.name, to: payload.name }
    await services.store.computers.update([payload.ip], { name: payload.name })
    request.warn('the new name is shown after the next refresh')
  },
} satisfies Command<typeof payload>
