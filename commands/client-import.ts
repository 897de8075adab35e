// Adds many computers from a CSV text or a dhcpd.conf: all of them, or none.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['format', 'text', 'room'],
  properties: {
    format: { enum: ['csv', 'dhcpd'] },
    text: { type: 'string' },
    room: { type: 'integer', minimum: 0 },
    dry_run: { type: 'boolean' },
  },
} as const

export default {
  summary: 'Import computers from CSV or dhcpd.conf',
  example: { format: 'csv', text: 'name,ip,mac\npc-21,10.1.1.21,00:1b:21:0a:0b:0d\n', room: 1, dry_run: true },
  route: 'POST /client/import',
  payload,
  answer({ payload, services }) {
    const { format, text, room, dry_run: dryRun = false } = payload
    return services.computers.import(text, format, room, dryRun)
  },
} satisfies Command<typeof payload>
