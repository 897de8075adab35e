// What a sync of the DHCP servers has changed, or would change: its schema, and how it is made.
import { describeChange } from './_changes.ts'
import type { Compared, Reservation } from './_server-state.ts'
import type { Comparison } from './_sync.ts'

/** Rows and conflicts of a server. */
const mostRows = 500

const text = { type: 'string' } as const
const integer = { type: 'integer', minimum: 0 } as const
const ip = { ...text, examples: ['10.1.1.20'] } as const
const mac = { ...text, examples: ['00:1b:21:0a:0b:0c'] } as const

const row = {
  type: 'object',
  required: ['action', 'ip', 'mac', 'name'],
  properties: {
    action: { enum: ['add', 'change', 'remove'], examples: ['change'] },
    ip,
    mac,
    name: { ...text, examples: ['pc-20'] },
    from: { ...text, description: 'what is changed', examples: ['10.1.1.21, pc-20'] },
  },
} as const

const conflict = {
  type: 'object',
  required: ['ip', 'mac', 'reason'],
  properties: { ip, mac, reason: { ...text, examples: ['the record has no hardware address'] } },
} as const

const server = {
  type: 'object',
  required: ['server', 'added', 'changed', 'removed', 'boot', 'rows', 'conflicts'],
  properties: {
    server: { ...text, examples: ['Kea http://10.1.0.2:8000/'] },
    added: { ...integer, description: 'reservations that were added, or would be' },
    changed: integer,
    removed: integer,
    boot: { type: 'boolean', description: 'boot options, or where entries are, were changed, or would be' },
    problem: { ...text, description: 'why it could not be read or changed, as the server says it' },
    rows: { type: 'array', items: row, description: 'at most 500' },
    conflicts: { type: 'array', items: conflict, description: 'computers that get no reservation, at most 500' },
  },
} as const

export const returns = {
  type: 'object',
  required: ['servers'],
  properties: { servers: { type: 'array', items: server } },
} as const

export function reportOf({ server, problem, changes, isStale: boot }: Comparison) {
  const { added = [], changed = [], removed = [], conflicts = [] } = changes ?? {}
  return {
    server,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    boot,
    ...(problem !== '' && { problem }),
    rows: rowsOf({ added, changed, removed }).slice(0, mostRows),
    conflicts: conflicts.slice(0, mostRows),
  }
}

const shown = ({ ip, mac, name }: Reservation) => ({ ip, mac, name })

const rowsOf = ({ added, changed, removed }: Pick<Compared, 'added' | 'changed' | 'removed'>) => [
  ...changed.map(({ from, to }) => ({ action: 'change' as const, ...shown(to), from: describeChange(from, to) })),
  ...removed.map(each => ({ action: 'remove' as const, ...shown(each) })),
  ...added.map(each => ({ action: 'add' as const, ...shown(each) })),
]
