// The compiler of the schemas of commands.
import { isIPv4 } from 'node:net'
import { Ajv } from 'ajv'
import type { Check } from '../contract/loaded-file.ts'
import { commonSchemas } from '../contract/named-schemas.ts'
import { message } from '../log/log.ts'
import { formatAjvErrors } from '../system/validation-errors.ts'

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

const isUri = (text: string) => URL.canParse(text)

/** As `toISOString` writes it, or with another offset. */
const isDateTime = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))

/** Of texts. Whether an address of a mail or a server works is for a pack's `check`. */
const formats = { 'date-time': isDateTime, email: /^[^\s@]+@[^\s@]+$/, ipv4: isIPv4, netmask: isNetmask, uri: isUri }

// Common to all: it compiles the schema of JSON Schema itself once.
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
  // What forms offer the names of.
  ajv.addKeyword('idOf')
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  for (const [name, schema] of Object.entries(commonSchemas)) ajv.addSchema(schema, name)
  return ajv
}

function compileOrExplain(ajv: Ajv, schema: object, name: string) {
  try {
    return ajv.compile(schema)
  } catch (error) {
    throw new Error(`${name}: ${explain(message(error))}`)
  }
}

/** Errors of ajv that name what is there, with what is possible. */
function explain(reason: string): string {
  const reference = /can't resolve reference (\S+)/.exec(reason)?.[1]
  if (reference !== undefined)
    return `expected a $ref to one of ${Object.keys(commonSchemas).join(', ')}, got ${reference}`
  const format = /^unknown format "([^"]*)"/.exec(reason)?.[1]
  return format === undefined ? reason : `expected a format of ${Object.keys(formats).join(', ')}, got ${format}`
}
