// How complete a module is for those who use it: bronze works, silver is described, gold has a test, too.
import { readdirSync } from 'node:fs'
import { basename, dirname, extname } from 'node:path'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { LoadedModule, LoadedPack } from '../contract/loaded-module.ts'

export interface Score {
  level: 'bronze' | 'silver' | 'gold'
  /** What the next level needs. */
  missing: string[]
}

export function scoreOf(loaded: LoadedModule): Score {
  const undescribed = describers[loaded.kind](loaded as never) // The entry is that of the module's kind.
  if (undescribed.length > 0) return { level: 'bronze', missing: undescribed }
  return hasTest(loaded.file) ? { level: 'gold', missing: [] } : { level: 'silver', missing: ['test'] }
}

const describers: { [Kind in LoadedModule['kind']]: (loaded: never) => string[] } = {
  command: missingOfCommand,
  hook: () => [],
  view: () => [],
  pack: missingOfPack,
}

function missingOfCommand({ command }: LoadedCommand): string[] {
  const { payload, example, answer, returns, mediaType, forward, group } = command
  const required = payload && 'required' in payload && Array.isArray(payload.required) ? payload.required : []
  const withExamples = new Set(['clients', 'client', ...keysWith('examples', payload)])
  return [
    ...(example === undefined && required.some(key => !withExamples.has(key)) ? ['example'] : []),
    ...(answer && !returns && mediaType === undefined ? ['returns'] : []),
    ...(forward && forward.expectsReply !== false && !forward.reply ? ['forward.reply'] : []),
    ...(group === undefined ? ['group'] : []),
  ]
}

/** People fill in a form of the settings. */
function missingOfPack({ declared: { settings } }: LoadedPack): string[] {
  const described = new Set(keysWith('description', settings))
  const undescribed = propertiesOf(settings).filter(([key]) => !described.has(key))
  return undescribed.map(([key]) => `settings.${key}: description`)
}

const propertiesOf = (schema: object | undefined): [string, unknown][] =>
  schema && 'properties' in schema && schema.properties instanceof Object ? Object.entries(schema.properties) : []

/** The properties of a schema that have this annotation. */
const keysWith = (annotation: string, schema: object | undefined): string[] =>
  propertiesOf(schema).flatMap(([key, property]) => (property instanceof Object && annotation in property ? key : []))

/** A test file of the module, or one of its folder that stands for all files: `pack.test.ts`. */
function hasTest(file: string): boolean {
  const name = basename(file, extname(file))
  return readdirSync(dirname(file)).some(each => new RegExp(`^(${name}|pack)\\.test\\.m?[jt]s$`).test(each))
}
