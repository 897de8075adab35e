// Asks the listed clients for the health of their disks, and keeps what they report.
import type { CommandOf } from 'fleet-host'
import { report as reply, storeReport } from './_reports.ts'
import type pack from './pack.ts'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

const unknown = 'this agent cannot report the health of disks'

export default {
  summary: 'Ask computers for the health of their disks',
  group: 'Disk health',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /disk-health/refresh',
  payload,
  forward: {
    to: 'GET /disk/health',
    deadline: 60,
    unsupported: [400, 404, 405, 501],
    statusReasons: { 400: unknown, 404: unknown, 405: unknown, 501: unknown },
    reply,
    async onReply({ reply, client, payload: _, ...context }) {
      const [record] = await context.services.store.computers.findMany([client.addr])
      if (!record) return false
      await storeReport(client.addr, reply, context)
      return true
    },
  },
} satisfies CommandOf<{ payload: typeof payload; reply: typeof reply; pack: typeof pack }>
