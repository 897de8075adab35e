// Adds many computers from a CSV text or a dhcpd.conf: all of them, or none.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text } from './_result-schemas.ts'

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

const conflict = result({ line: described(integer, 'of the text, from 1'), reason: text })

const importReport = result(
  {
    added: described(integer, 'computers that were added, or would be in a dry run'),
    exists: described(integer, 'computers that have the same record already'),
    conflicts: list(conflict, 'why nothing was stored'),
    warnings: list(conflict, 'computers with the name of another one, at most 100'),
  },
  ['warnings'],
)

export default {
  summary: 'Import computers from CSV or dhcpd.conf',
  example: { format: 'csv', text: 'name,ip,mac\npc-21,10.1.1.21,00:1b:21:0a:0b:0d\n', room: 1, dry_run: true },
  route: 'POST /client/import',
  returns: importReport,
  payload,
  answer({ payload, services }) {
    const { format, text, room, dry_run: dryRun = false } = payload
    return services.computers.import(text, format, room, dryRun)
  },
} satisfies Command<typeof payload>
