// The schemas of the settings and collections of this pack, of the fields of its commands, and their types.
import type { FromSchema, PackContext, Services, SettingsOf } from 'fleet-host'

const line = { type: 'string', maxLength: 300 } as const
const accounts = {
  type: 'array',
  items: {
    type: 'string',
    pattern: '^(admin|(user|token|pack) .{1,100})$',
    expected: 'names as user anna or token lab',
  },
  maxItems: 200,
  uniqueItems: true,
} as const

export const settings = {
  type: 'object',
  properties: {
    editors: { ...accounts, default: [], description: 'who may write scripts besides administrators' },
    only: {
      type: 'boolean',
      default: false,
      description: 'true: nobody but administrators may run other scripts than those of the library',
    },
  },
} as const

export const scriptName = {
  type: 'string',
  pattern: '^[^\\s/]([^/\\u0000-\\u001f]{0,58}[^\\s/])?$',
  expected: '1 to 60 characters without /',
  description: 'name of the script',
  examples: ['Update'],
} as const

export const versionNumber = { type: 'integer', minimum: 1, examples: [3] } as const

/** Texts are checked by the type and the choices of the parameter. */
export const value = { type: ['string', 'integer', 'boolean'], maxLength: 2000 } as const

const parameter = {
  type: 'object',
  required: ['name', 'type'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      expected: 'small letters, digits and _',
      description: 'that of the variable in the script',
      examples: ['edition'],
    },
    type: { enum: ['text', 'integer', 'boolean'] },
    choices: { type: 'array', items: line, minItems: 1, maxItems: 100, examples: [['small', 'full']] },
    default: { ...value, description: 'without one a value has to be set', examples: ['small'] },
    description: line,
  },
} as const

/** What people write. */
export const scriptFields = {
  text: {
    type: 'string',
    minLength: 1,
    maxLength: 60_000,
    pattern: '^[^\\u0000]*$',
    contentMediaType: 'text/x-shellscript',
    description: 'the script; callers with the role `read` can read it, so it should contain no password',
    examples: ['echo "edition: $edition"'],
  },
  language: {
    enum: ['sh', 'powershell'],
    description: '`sh`: for agents in Linux and in live systems; `powershell`: for those in Windows',
  },
  parameters: { type: 'array', items: parameter, maxItems: 30 },
  runners: { ...accounts, description: 'who may run it besides administrators; empty: who may send commands' },
  description: line,
} as const

const script = {
  type: 'object',
  required: ['text', 'language', 'parameters', 'runners', 'description', 'version', 'changed', 'by'],
  properties: { ...scriptFields, version: versionNumber, changed: { type: 'integer' }, by: line },
} as const

const { text, ...listedFields } = scriptFields
const time = { type: 'string', format: 'date-time', examples: ['2026-09-14T08:00:00.000Z'] } as const
const author = { ...line, description: 'who has written this version', examples: ['user anna'] } as const
const change = { version: versionNumber, changed: time, by: author } as const

/** As answers have it. */
export const listedScript = {
  type: 'object',
  required: ['script', 'language', 'parameters', 'runners', 'description', 'version', 'changed', 'by'],
  properties: { script: scriptName, ...listedFields, ...change },
} as const

/** With its text, and the versions that can be read. */
export const shownScript = {
  type: 'object',
  required: [...listedScript.required, 'text', 'versions'],
  properties: {
    ...listedScript.properties,
    text,
    versions: { type: 'array', items: { type: 'object', required: ['version', 'changed', 'by'], properties: change } },
  },
} as const

export const collections = {
  /** By name. */
  scripts: script,
  /** What later versions have replaced, by name and number. */
  versions: script,
} as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

export type Settings = SettingsOf<Own>
export type Script = FromSchema<typeof script>
export type Parameter = FromSchema<typeof parameter>
export type Value = FromSchema<typeof value>

export interface Context extends PackContext<Own> {
  services: Services
}

/** Refuses other keys: a name that was mistyped must not be dropped in silence. */
export const strict = <const Required extends readonly string[], const Properties>(
  required: Required,
  properties: Properties,
) => ({ type: 'object' as const, required, additionalProperties: false, properties })
