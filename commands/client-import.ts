// Adds and changes many computers from a CSV text or a dhcpd.conf: all of them, or none.
import type { Command } from 'fleet-host'
import { address, described, integer, like, list, result, text } from './_schemas/results.ts'

const conflict = result({
  line: described(integer, 'of the text, from 1', 3),
  reason: described(text, 'what is wrong', 'ip: expected an IPv4 address, got "10.1.1.300"'),
})

const change = result({ key: like(text, 'name'), from: like(text, 'pc-2'), to: like(text, 'pc-20') })

const row = result(
  {
    line: like(integer, 2),
    name: like(text, 'pc-20'),
    ip: address,
    action: { enum: ['add', 'update', 'none'], examples: ['update'] },
    room: described(text, 'of a new computer'),
    changes: list(change, 'of an existing computer'),
  },
  ['room', 'changes'],
)

const importReport = result(
  {
    added: described(integer, 'computers that were added, or would be in a dry run'),
    exists: described(integer, 'computers that have the same record already'),
    updated: described(integer, 'computers that were changed, or would be; only with update'),
    conflicts: list(conflict, 'why nothing was stored'),
    warnings: list(conflict, 'computers that get the name of another one, at most 100'),
    rows: list(row, 'what happens to the computer of each line; only with update'),
    omitted: described(integer, 'lines that are not in rows, because a response has a size limit'),
  },
  ['updated', 'warnings', 'rows', 'omitted'],
)

const payload = {
  type: 'object',
  required: ['format', 'text'],
  properties: {
    format: {
      enum: ['csv', 'dhcpd'],
      description: 'csv: a header row, then one row per computer; dhcpd: a dhcpd.conf',
    },
    text: { type: 'string', description: 'the contents of the file' },
    room: { type: 'integer', minimum: 0, description: 'id of the room of rows that name none' },
    update: {
      type: 'boolean',
      description: 'true: changes existing computers, found by hardware address, or else by address',
    },
    dry_run: { type: 'boolean', description: 'true: checks and reports, stores nothing' },
  },
} as const

export default {
  summary: 'Import computers from CSV or dhcpd.conf',
  group: 'Centers, rooms and computers',
  example: { format: 'csv', text: 'name,ip,mac\npc-21,10.1.1.21,00:1b:21:0a:0b:0d\n', room: 1, dry_run: true },
  route: 'POST /client/import',
  returns: importReport,
  payload,
  previewKey: 'dry_run',
  answer({ payload, services }) {
    return services.computers.import(payload)
  },
} satisfies Command<typeof payload>
