// JSON Schemas of command modules: the pieces that they may name, and checks whose reasons people can read.
import { isIPv4 } from 'node:net'
import { Ajv } from 'ajv'
import type { SharedSchemas } from '../command.ts'
import { message } from '../system/log.ts'
import { formatAjvErrors } from '../system/validation-errors.ts'

/** Why a value does not fit, undefined when it fits. */
export type Check = (value: unknown) => string | undefined

const ipv4 = { type: 'string', format: 'ipv4', description: 'four numbers from 0 to 255 with dots between them' }
const addresses = { type: 'array', minItems: 1, items: { $ref: 'ipv4' } }
// Few enough to be exact as a number.
const digits = { type: 'string', pattern: '^[0-9]{1,15}$', description: 'a string of digits' }
const place = { type: 'string', pattern: '^[0-9]{1,4}$', description: 'a small number in digits' }
const text = { type: 'string' }

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
  properties: { command: text, params: { type: 'object' } },
}
const named = (what: string) => ({
  type: 'object',
  required: [what],
  additionalProperties: false,
  properties: { [what]: { type: 'integer', minimum: 1 } },
})

// 32 bits are all that a mask has.
const mask = { type: 'integer', minimum: 0, maximum: 0xffff_ffff }
const masks = { years: mask, months: mask, weeks: mask, week_days: mask, days: mask, hours: mask }
const clock = { am_pm: { ...mask, maximum: 1 }, minutes: { ...mask, maximum: 59 } }
const when = (required: string[]) => ({ type: 'object', required, properties: { ...masks, ...clock } })
const changed = ['years', 'months', 'days', 'hours', 'minutes', 'am_pm']

/** By the names by which modules refer to them. */
export const sharedSchemas: Record<keyof SharedSchemas, object> = {
  clients: addresses,
  client: addresses,
  ipv4,
  id: digits,
  netmask: { type: 'string', format: 'netmask', description: 'an IPv4 netmask' },
  status: { type: 'string', pattern: '^(OPG|BSY|VDI|LINUX.*|WIN.*)$', description: 'OPG, BSY, VDI, LINUX or WIN' },
  inventory: {
    type: 'object',
    properties: {
      disk_setup: { type: 'array', items: diskEntry },
      partition_setup: { type: 'array', items: diskEntry },
      serial_number: text,
      link: { type: 'integer' },
      status: { $ref: 'status' },
    },
    anyOf: [{ required: ['partition_setup'] }, { required: ['disk_setup'] }, { required: ['status'] }],
  },
  steps: { type: 'array', items: { anyOf: [command, named('procedure')] } },
  taskSteps: { type: 'array', items: { anyOf: [named('procedure'), named('task')] } },
  when: when([...changed, 'weeks', 'week_days']),
  whenChanged: when(changed),
}

/** Ones, then zeros. */
function isNetmask(text: string): boolean {
  const bits = text.split('.').map(part => Number(part).toString(2).padStart(8, '0'))
  return isIPv4(text) && /^1*0*$/.test(bits.join(''))
}

// Long-lived: it compiles the draft's own schema once, for all that are checked against it.
const drafts = new Ajv({ strict: false, verbose: true })

/**
 * Compiles the schemas of one module version. Each version has an Ajv of its own, which goes when the version goes;
 * a shared one keeps every schema that it has compiled. Throws a one-line reason for a schema that is not valid.
 */
export function createSchemas(): { compile(schema: object, whole: string): Check } {
  let ajv: Ajv | undefined
  return {
    compile(schema, whole) {
      if (!drafts.validateSchema(schema)) throw new Error(`${whole}: ${formatAjvErrors(drafts.errors, 'schema')}`)
      // Many commands have no schema.
      ajv ??= createAjv()
      const valid = compileOrExplain(ajv, schema, whole)
      return value => (valid(value) ? undefined : formatAjvErrors(valid.errors, whole))
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
    // V8 does it as well, and only for what runs often.
    code: { optimize: false },
  })
  ajv.addFormat('ipv4', isIPv4)
  ajv.addFormat('netmask', isNetmask)
  for (const [name, piece] of Object.entries(sharedSchemas)) ajv.addSchema(piece, name)
  return ajv
}

function compileOrExplain(ajv: Ajv, schema: object, whole: string) {
  try {
    return ajv.compile(schema)
  } catch (error) {
    const unresolved = /can't resolve reference (\S+)/.exec(message(error))?.[1]
    if (unresolved === undefined) throw new Error(`${whole}: ${message(error)}`)
    throw new Error(`${whole}: expected a $ref to one of ${Object.keys(sharedSchemas).join(', ')}, got ${unresolved}`)
  }
}
