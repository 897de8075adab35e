// The shared JSON Schemas that commands may name, and the compiler of the commands' own schemas.
import { isIPv4 } from 'node:net'
import { Ajv } from 'ajv'
import type { SharedSchemas } from '../contract/command.ts'
import type { Check } from '../contract/loaded-command.ts'
import { message } from '../log/log.ts'
import { formatAjvErrors } from '../system/validation-errors.ts'

const ipv4 = {
  type: 'string',
  format: 'ipv4',
  description: 'four numbers from 0 to 255 with dots between them',
  examples: ['10.1.1.20'],
}
const addressesOf = (description: string) => ({ type: 'array', minItems: 1, items: { $ref: 'ipv4' }, description })
// JavaScript numbers represent 15 digits exactly.
const digits = { type: 'string', pattern: '^[0-9]{1,15}$', description: 'a string of digits' }
const place = { type: 'string', pattern: '^[0-9]{1,4}$', description: 'the number of a disk or partition, 0 to 9999' }
const text = { type: 'string' }

/** Elements of the lists in a reply to refresh and setup: 256 rows, more than any computer has. */
const [mostDisks, mostPartitions] = [64, 192]

// Consoles read the speed, in Mbit/s, as a signed 32-bit number.
const speed = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }

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
}

const command = {
  type: 'object',
  required: ['command', 'params'],
  additionalProperties: false,
  properties: {
    command: { ...text, description: 'name of a command that is for clients' },
    params: { type: 'object', description: 'its payload without `clients`' },
  },
}
const stepOf = (kind: string) => ({
  type: 'object',
  required: [kind],
  additionalProperties: false,
  properties: { [kind]: { type: 'integer', minimum: 1, description: `id of a ${kind}` } },
})

// A mask has 32 bits.
const mask = { type: 'integer', minimum: 0, maximum: 0xffff_ffff }
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
const when = (required: string[]) => ({
  type: 'object',
  required,
  properties: { ...masks, ...clock },
  description: 'when it fires, in local time: a mask is the sum of the values that it selects; default: now, once',
})
const changed = ['years', 'months', 'days', 'hours', 'minutes', 'am_pm']

/** By the names that commands use in `$ref`. */
export const sharedSchemas: Record<keyof SharedSchemas, object> = {
  clients: addressesOf('IPv4 addresses of clients'),
  client: addressesOf('the IPv4 address of a client'),
  ipv4,
  id: digits,
  place,
  speed,
  netmask: { type: 'string', format: 'netmask', description: 'an IPv4 netmask' },
  status: { type: 'string', pattern: '^(OPG|BSY|VDI|LINUX.*|WIN.*)$', description: 'OPG, BSY, VDI, LINUX or WIN' },
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
  steps: { type: 'array', items: { anyOf: [command, stepOf('procedure')] }, description: 'commands and procedures' },
  taskSteps: {
    type: 'array',
    items: { anyOf: [stepOf('procedure'), stepOf('task')] },
    description: 'procedures and tasks',
  },
  when: when([...changed, 'weeks', 'week_days']),
  whenChanged: when(changed),
}

/** The keyword `maxLines`. */
function hasAtMostLines(most: number, text: string): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && lines <= most; at = text.indexOf('\n', at + 1)) lines += 1
  return lines <= most
}

/** An address whose bits are ones followed by zeros. */
function isNetmask(text: string): boolean {
  const bits = text.split('.').map(part => Number(part).toString(2).padStart(8, '0'))
  return isIPv4(text) && /^1*0*$/.test(bits.join(''))
}

// Shared: it compiles the schema of JSON Schema itself once.
const draftValidator = new Ajv({ strict: false, verbose: true })

/**
 * The compiler for the schemas of one version of a command file. `compile` throws an error with one line for an invalid
 * schema; messages call the checked value `name`. An Ajv keeps every schema that it has compiled, so each version has
 * its own, which is collected with the version.
 */
export function createSchemas(): { compile(schema: object, name: string): Check } {
  let ajv: Ajv | undefined
  return {
    compile(schema, name) {
      if (!draftValidator.validateSchema(schema))
        throw new Error(`${name}: ${formatAjvErrors(draftValidator.errors, 'schema')}`)
      // Created on first use, because many commands have no schema.
      ajv ??= createAjv()
      const matches = compileOrExplain(ajv, schema, name)
      return value => (matches(value) ? undefined : formatAjvErrors(matches.errors, name))
    },
  }
}

function createAjv(): Ajv {
  const ajv = new Ajv({
    meta: false,
    validateSchema: false,
    strictTypes: false,
    strictTuples: false,
    verbose: true,
    logger: false,
    // V8 optimizes as well, and only the code that runs often.
    code: { optimize: false },
  })
  ajv.addKeyword({ keyword: 'maxLines', type: 'string', schemaType: 'number', validate: hasAtMostLines })
  // An annotation for error texts, see host/system/validation-errors.ts.
  ajv.addKeyword('expected')
  // What programs that ask people send when nothing else was chosen.
  ajv.addKeyword('proposed')
  ajv.addFormat('ipv4', isIPv4)
  ajv.addFormat('netmask', isNetmask)
  for (const [name, schema] of Object.entries(sharedSchemas)) ajv.addSchema(schema, name)
  return ajv
}

function compileOrExplain(ajv: Ajv, schema: object, name: string) {
  try {
    return ajv.compile(schema)
  } catch (error) {
    const unresolved = /can't resolve reference (\S+)/.exec(message(error))?.[1]
    if (unresolved === undefined) throw new Error(`${name}: ${message(error)}`)
    throw new Error(`${name}: expected a $ref to one of ${Object.keys(sharedSchemas).join(', ')}, got ${unresolved}`)
  }
}
