// Adds a computer record, and its boot files.
import type { Command } from 'fleet-host'
import { computerFields } from './_schemas/computer-fields.ts'

const payload = { type: 'object', required: ['name', 'ip', 'mac', 'room'], properties: computerFields } as const

export default {
  summary: 'Add a computer',
  group: 'Centers, rooms and computers',
  example: { name: 'pc-20', ip: '10.1.1.20', mac: '00:1b:21:0a:0b:0c', room: 1 },
  route: 'POST /client/add',
  http: { prefix: true },
  payload,
  audit: { computer: 'ip' },
  async answer({ payload, services, request }) {
    const refusal = await services.computers.add(payload, request)
    if (refusal) return refusal
    const computer = await services.store.computers.find(payload.ip)
    if (computer) request.created(computer.id)
  },
} satisfies Command<typeof payload>
