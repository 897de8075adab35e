// Returns the boot files that a computer would have in a mode, without writing them.
import type { Command } from 'fleet-host'
import { described, list, result, text } from './_result-schemas.ts'

const payload = {
  type: 'object',
  required: ['clients', 'mode'],
  properties: {
    clients: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: 'ipv4' } },
    mode: { type: 'string' },
  },
} as const

const file = result({ path: described(text, 'below the folder of boot files'), content: text })
const returns = result({ files: list(file) })

export default {
  summary: 'Preview the boot files of a computer',
  example: { clients: ['10.1.1.20'], mode: 'pxe' },
  route: 'GET /mode/preview',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.clients
    const files = await services.boot.preview(ip, payload.mode)
    return services.isRefusal(files) ? files : { files }
  },
} satisfies Command<typeof payload>
