// The JSON Schemas that every command may name with `$ref`.

const ipv4 = {
  type: 'string',
  format: 'ipv4',
  description: 'four numbers from 0 to 255 with dots between them',
  examples: ['10.1.1.20'],
} as const
const addressesOf = (description: string) =>
  ({ type: 'array', minItems: 1, items: { $ref: 'ipv4' }, description, examples: [['10.1.1.20']] }) as const
// JavaScript numbers represent 15 digits exactly.
const digits = { type: 'string', pattern: '^[0-9]{1,15}$', description: 'a string of digits', examples: ['1'] } as const
const place = {
  type: 'string',
  pattern: '^[0-9]{1,4}$',
  description: 'the number of a disk or partition, 0 to 9999',
  examples: ['1'],
} as const
const text = { type: 'string' } as const

/** Elements of the lists in a reply to refresh and setup: 256 rows, more than any computer has. */
const [mostDisks, mostPartitions] = [64, 192]

// Consoles read the speed, in Mbit/s, as a signed 32-bit number.
const speed = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const

/** `code` is hexadecimal, `size` KiB, `used_size` percent. */
const diskEntry = {
  type: 'object',
  required: ['disk', 'partition', 'code', 'filesystem', 'os', 'size', 'used_size'],
  properties: {
    disk: place,
    partition: place,
    code: text,
    filesystem: text,
    os: text,
    size: text,
    used_size: text,
    disk_type: text,
  },
} as const

const command = {
  type: 'object',
  required: ['command', 'params'],
  additionalProperties: false,
  properties: {
    command: { ...text, description: 'name of a command that is for clients' },
    params: { type: 'object', description: 'its payload without `clients`' },
  },
} as const
const recordId = (kind: string) => ({ type: 'integer', minimum: 1, description: `id of a ${kind}` }) as const
const procedure = {
  type: 'object',
  required: ['procedure'],
  additionalProperties: false,
  properties: { procedure: recordId('procedure') },
} as const
const task = {
  type: 'object',
  required: ['task'],
  additionalProperties: false,
  properties: { task: recordId('task') },
} as const

// A mask has 32 bits.
const mask = { type: 'integer', minimum: 0, maximum: 0xffff_ffff } as const
const maskOf = (description: string) => ({ ...mask, description })
const masks = {
  years: maskOf('1 is 2010, 2 is 2011, 4 is 2012 and so on: 65536 is 2026, 2147483648 is 2041. All: 4294967295'),
  months: maskOf(
    '1 January, 2 February, 4 March, 8 April, 16 May, 32 June, 64 July, 128 August, 256 September, 512 October, ' +
      '1024 November, 2048 December. All: 4095',
  ),
  weeks: maskOf('1, 2, 4, 8, 16: the first to the fifth week of the month, 32: the last one. Weeks end on Saturday'),
  week_days: maskOf(
    '1 Monday, 2 Tuesday, 4 Wednesday, 8 Thursday, 16 Friday, 32 Saturday, 64 Sunday. Monday to Friday: 31',
  ),
  days: maskOf('1 is the 1st, 2 the 2nd, 4 the 3rd and so on: 16384 is the 15th, 1073741824 the 31st. All: 2147483647'),
  hours: maskOf(
    '1 is 0:00 or 12:00, 2 is 1:00 or 13:00 and so on: 256 is 8:00 or 20:00, 2048 is 11:00 or 23:00; ' +
      '`am_pm` selects which. All: 4095',
  ),
}
const clock = {
  am_pm: { ...mask, maximum: 1, description: 'no mask. 0: from midnight on, 1: from noon on' },
  minutes: { ...mask, maximum: 59, description: 'no mask: the minute of the hour' },
}
const when = <const Keys extends readonly string[]>(required: Keys) => ({
  type: 'object' as const,
  required,
  properties: { ...masks, ...clock },
  description: 'when it fires, in local time: a mask is the sum of the values that it selects; default: now, once',
})
const changed = ['years', 'months', 'days', 'hours', 'minutes', 'am_pm'] as const

/** One tag as callers write it: its key and its value begin with a letter or a digit. */
export const tagPattern = '^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,62}(:[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,62})?$'

export const mostTags = 32

/** By the names that commands use in `$ref`. */
export const commonSchemas = {
  clients: addressesOf('IPv4 addresses of clients'),
  /** As `clients`, in reads: the first address is used. */
  client: addressesOf('the IPv4 address of a client'),
  ipv4,
  id: digits,
  place,
  /** Mbit/s. */
  speed,
  tags: {
    type: 'array',
    maxItems: mostTags,
    items: { type: 'string', pattern: tagPattern, expected: 'letters, digits, `.`, `_`, `-`, and maybe one `:`' },
    description: 'words by which it is found, plain or `key:value`; stored in lower case; an empty list removes them',
    examples: [['cad', 'os:win11']],
  },
  netmask: { type: 'string', format: 'netmask', description: 'an IPv4 netmask such as 255.255.255.0' },
  status: { type: 'string', pattern: '^(OPG|BSY|VDI|LINUX.*|WIN.*)$', description: 'OPG, BSY, VDI, LINUX or WIN' },
  /** The reply to refresh and setup. */
  inventory: {
    type: 'object',
    properties: {
      disk_setup: { type: 'array', maxItems: mostDisks, items: diskEntry },
      partition_setup: { type: 'array', maxItems: mostPartitions, items: diskEntry },
      serial_number: text,
      link: { $ref: 'speed' },
      status: { $ref: 'status' },
    },
    anyOf: [{ required: ['partition_setup'] }, { required: ['disk_setup'] }, { required: ['status'] }],
  },
  steps: { type: 'array', items: { anyOf: [command, procedure] }, description: 'commands and procedures' },
  taskSteps: {
    type: 'array',
    items: { anyOf: [procedure, task] },
    description: 'procedures and tasks',
  },
  when: when([...changed, 'weeks', 'week_days']),
  /** An update, where `weeks` and `week_days` are optional. */
  whenChanged: when(changed),
} as const
