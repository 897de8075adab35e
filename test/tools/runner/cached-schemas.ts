// Compiles a command's schema once for all hosts of a process, and those of the built-in commands when they are first
// used: compiling takes most of the time of a host's start.
// In the bundles of test files this file stands for host/modules/schemas.ts.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { Check } from '../../../host/contract/loaded-file.ts'
import type { CheckedModule } from '../../../host/modules/checked.ts'
import { closed } from '../../../host/modules/packs/setting-values.ts'
import { createSchemas as createUnkept } from '../../../host/modules/schemas.ts'
import { bundlesVariable } from './bundled-file.ts'

const name = 'valid-schemas.json'

/** Undefined for a value that structured cloning cannot copy, such as a function. */
function hashOf(...values: unknown[]): string | undefined {
  try {
    return createHash('sha1').update(serialize(values)).digest('base64')
  } catch {
    return undefined
  }
}

/** Modules that passed all checks: their schemas are valid, and the examples of commands match them. */
export function writeValidSchemas(folder: string, modules: CheckedModule[]): void {
  writeFileSync(join(folder, name), JSON.stringify(modules.flatMap(hashesOf)))
}

function hashesOf(module: CheckedModule) {
  if (module.kind === 'pack') {
    const { settings, collections = {} } = module.declared
    const ofCollections = Object.entries(collections).map(([name, schema]) => hashOf(schema, `collections.${name}`))
    return [hashOf(settings && closed(settings), 'settings'), ...ofCollections]
  }
  if (module.kind !== 'command') return []
  const { payload, returns, query, forward, example } = module.command
  return [
    hashOf(payload, 'payload'),
    hashOf(returns, 'returns'),
    hashOf(query, 'query'),
    hashOf(forward?.reply, 'reply'),
    hashOf(payload, 'payload', example),
  ]
}

const file = join(process.env[bundlesVariable] ?? '', name)
const valid = new Set<unknown>(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])

/** By the hash of the schema and its name. */
const checks = new Map<string, Check>()

/** The same by the schema itself, which is that of the last host where its command was kept, and by its name. */
const checksOfObjects = new WeakMap<object, Map<string, Check>>()

/** Hosts check the commands' examples when they start. */
function compileLater(schema: object, name: string, compile: (schema: object, name: string) => Check): Check {
  let check: Check | undefined
  let example: unknown
  return value => {
    if (check === undefined && example === undefined && valid.has(hashOf(schema, name, value))) example = value
    if (example !== undefined && value === example) return undefined
    check ??= compile(schema, name)
    return check(value)
  }
}

export function createSchemas(): ReturnType<typeof createUnkept> {
  const { compile } = createUnkept()
  return {
    compile(schema, name) {
      const ofObject = checksOfObjects.get(schema)?.get(name)
      if (ofObject !== undefined) return ofObject
      const hash = hashOf(schema, name)
      if (hash === undefined) return compile(schema, name)
      const check = checks.get(hash) ?? (valid.has(hash) ? compileLater(schema, name, compile) : compile(schema, name))
      checks.set(hash, check)
      checksOfObjects.set(schema, (checksOfObjects.get(schema) ?? new Map()).set(name, check))
      return check
    },
  }
}
