// Deletes what is known of a computer, or shows what it would delete.
import type { CommandOf } from 'fleet-host'
import type pack from './pack.ts'

const payload = {
  type: 'object',
  required: ['ip'],
  properties: { ip: { $ref: 'ipv4' }, dry_run: { type: 'boolean' } },
} as const

const returns = {
  type: 'object',
  required: ['word'],
  properties: { word: { type: 'string', examples: ['ok'] } },
} as const

export default {
  contract: 3,
  summary: 'Forget the check of a computer',
  route: 'POST /checks/forget',
  confirm: 'ask',
  access: 'operate',
  payload,
  returns,
  audit: { computer: 'ip', preview: 'dry_run' },
  body: 'required',
  async answer({ payload, collections, services, request }) {
    const result = await collections.results.get(payload.ip)
    if (!result) return services.refuse(`ip: no check of ${payload.ip}`)
    if (payload.dry_run) return { word: result.value.word }
    await collections.results.delete(payload.ip, { version: result.version })
    request.warn('the next check makes it anew')
    return { word: result.value.word }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns; pack: typeof pack }>
