// Adds and changes many computers from a CSV text or a dhcpd.conf: all of them, or none.
import type { CommandOf } from 'fleet-host'
import { importReport, payload } from './_schemas/computer-import.ts'

export default {
  summary: 'Import computers from CSV or dhcpd.conf',
  group: 'Centers, rooms and computers',
  example: { format: 'csv', text: 'name,ip,mac\npc-21,10.1.1.21,00:1b:21:0a:0b:0d\n', room: 1, dry_run: true },
  route: 'POST /client/import',
  returns: importReport,
  payload,
  audit: { preview: 'dry_run' },
  answer: ({ payload, services, request }) => services.computers.import(payload, request),
} satisfies CommandOf<{ payload: typeof payload; returns: typeof importReport }>
