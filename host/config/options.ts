// Reads the options file; an error is one line that names the key.
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { Ajv, type FuncKeywordDefinition } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { message } from '../log/log.ts'
import { isNetwork } from '../system/networks.ts'
import { formatAjvErrors, ownSchemas } from '../system/validation-errors.ts'
import { isIssuer } from './oidc-options.ts'
import { type Options, optionsSchema } from './options-schema.ts'

export type { Options } from './options-schema.ts'

/** Bytes, characters, seconds and counts, which the departments read at each use. */
export type Limits = Options['limits']

/** An error in the options; the message is the one line that the administrator reads. */
export class OptionsError extends Error {}

/** Says which option names the folder, for an error of the system; returns other errors as they are. */
export function unusableFolder(option: string, path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  const user = process.getuid?.() ?? 'of the daemon'
  const advice = `write a folder that user ${user} may write, or chown ${user} ${path}`
  return new OptionsError(`${option}: the daemon cannot use ${path}: ${error.message}; ${advice}`)
}

function isRegex(text: string): boolean {
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}

const isPort = (text: string): boolean => /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535

/** The check of a file's content, which also sets the defaults. Its `this` is the folder of relative paths. */
function compile() {
  const formats = { network: isNetwork, regex: isRegex, port: isPort, issuer: isIssuer }
  const ajv = new Ajv({ ...ownSchemas, useDefaults: true, strict: false, verbose: true, passContext: true, formats })
  ajv.addKeyword(replacing('isPath', resolve))
  ajv.addKeyword(replacing('isNumber', (_, text) => Number(text)))
  return ajv.compile<Options & { database?: object }>(optionsSchema)
}

let compiled: ReturnType<typeof compile> | undefined

/** A keyword whose texts are replaced when they are valid. */
const replacing = (keyword: string, replace: (base: string, text: string) => unknown): FuncKeywordDefinition => ({
  keyword,
  type: 'string',
  modifying: true,
  validate(this: string, _schema: unknown, text: string, _parent: unknown, at?: DataValidationCxt) {
    return at === undefined || Reflect.set(at.parentData, at.parentDataProperty, replace(`${this}`, text))
  },
})

/**
 * Reads the options from a JSON file; without one all have their defaults. Relative paths are relative to the file, or
 * without a file to the working directory. `unused` lists sections of existing sites that this daemon does not need.
 */
export function loadOptions(file?: string): { options: Options; unused: string[] } {
  const content: unknown = file === undefined ? {} : parse(file)
  const base = file === undefined ? process.cwd() : dirname(resolve(file))
  compiled ??= compile()
  const isValid = compiled.bind(base)
  if (!isValid(content)) throw new OptionsError(`${file}: ${formatAjvErrors(compiled.errors, 'options')}`)
  const { database, ...options } = content
  const { store, limits, oidc } = options
  if (options.cluster && store.adapter !== 'postgres' && !isAbsolute(store.adapter)) {
    throw new OptionsError(`${file}: cluster: expected store.adapter postgres, got ${store.adapter}`)
  }
  if (oidc?.client_secret !== undefined && oidc.client_secret_file !== undefined) {
    throw new OptionsError(`${file}: oidc: expected client_secret or client_secret_file, got both`)
  }
  limits.forward ??= limits.request - 700
  return { options, unused: database === undefined ? [] : ['database'] }
}

function parse(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OptionsError(`${file}: cannot be read as JSON: ${message(error).replaceAll(/\s+/g, ' ')}`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OptionsError(`${file}: expected a file that can be read, got ${message(error)}`)
  }
}
