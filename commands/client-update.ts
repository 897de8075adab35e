// Changes a computer record, and its boot files.
import type { Command } from 'fleet-host'
import { computerFields } from './_schemas/computer-fields.ts'

const payload = { type: 'object', required: ['ip'], properties: computerFields } as const

export default {
  summary: 'Change a computer',
  group: 'Centers, rooms and computers',
  example: { ip: '10.1.1.20', name: 'pc-20b', maintenance: true },
  route: 'POST /client/update',
  payload,
  audit: { computer: 'ip' },
  answer({ payload, services, request }) {
    const { ip, ...change } = payload
    return services.computers.update(ip, change, request)
  },
} satisfies Command<typeof payload>
