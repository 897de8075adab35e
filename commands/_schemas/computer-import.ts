// The schemas of imports of computers: as callers write them, and what they do.
import { address, described, integer, like, list, object, text } from './objects.ts'

export const payload = object({
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

const conflict = object({
  line: described(integer, 'of the text, from 1', 3),
  reason: described(text, 'what is wrong', 'ip: expected an IPv4 address, got "10.1.1.300"'),
})

const change = object({ key: like(text, 'name'), from: like(text, 'pc-2'), to: like(text, 'pc-20') })

const row = object({
  line: like(integer, 2),
  name: like(text, 'pc-20'),
  ip: address,
  action: { enum: ['add', 'update', 'none'], examples: ['update'] },
  'room?': described(text, 'of a new computer'),
  'changes?': list(change, 'of an existing computer'),
})

export const importReport = object({
  added: described(integer, 'computers that were added, or would be in a dry run'),
  exists: described(integer, 'computers that have the same record already'),
  'updated?': described(integer, 'computers that were changed, or would be; only with update'),
  conflicts: list(conflict, 'why nothing was stored'),
  'warnings?': list(conflict, 'computers that get the name of another one, at most 100'),
  'rows?': list(row, 'what happens to the computer of each line; only with update'),
  'omitted?': described(integer, 'lines that are not in rows, because a response has a size limit'),
})
