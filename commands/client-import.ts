// Adds and changes many computers from a CSV text or a dhcpd.conf: all of them, or none.
import type { Command } from 'fleet-host'
import { importReport } from './_schemas/computer-import.ts'
import { object } from './_schemas/objects.ts'

const payload = object({
  format: {
    enum: ['csv', 'dhcpd'],
    description: 'csv: a header row, then one row per computer; dhcpd: a dhcpd.conf',
  },
  text: { type: 'string', description: 'the contents of the file' },
  'room?': { type: 'integer', minimum: 0, description: 'id of the room of rows that name none' },
  'update?': {
    type: 'boolean',
    description: 'true: changes existing computers, found by hardware address, or else by address',
  },
  'dry_run?': { type: 'boolean', description: 'true: checks and reports, stores nothing' },
})

export default {
  summary: 'Import computers from CSV or dhcpd.conf',
  group: 'Centers, rooms and computers',
  example: { format: 'csv', text: 'name,ip,mac\npc-21,10.1.1.21,00:1b:21:0a:0b:0d\n', room: 1, dry_run: true },
  route: 'POST /client/import',
  returns: importReport,
  payload,
  previewKey: 'dry_run',
  answer: ({ payload, services }) => services.computers.import(payload),
} satisfies Command<typeof payload>
