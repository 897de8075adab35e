// What the daemon's OpenAPI document tells of a command.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formatAjvErrors } from '../system/validation-errors.ts'
import type { Schema, Takes } from './api/command-catalogue.ts'

interface Operation {
  summary?: string
  'x-aliases'?: string[]
  requestBody?: {
    content?: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }>
  }
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

export function documentedTakes({ paths, components }: Document, route: string): Takes | undefined {
  const [method = '', path = ''] = route.split(' ')
  const operation = paths[path]?.[method.toLowerCase()]
  if (!operation) return undefined
  const { schema, example, examples } = operation.requestBody?.content?.['application/json'] ?? {}
  const whole = { ...schema, components }
  return {
    summary: operation.summary ?? '',
    aliases: operation['x-aliases'] ?? [],
    payload: schema,
    example: example ?? Object.values(examples ?? {})[0]?.value,
    check(payload) {
      // Formats are the daemon's own; it has the last word in any case.
      const ajv = new Ajv2020({ strict: false, verbose: true, validateFormats: false })
      const valid = ajv.compile(whole)
      return schema === undefined || valid(payload) ? undefined : formatAjvErrors(valid.errors, 'payload')
    },
  }
}

/** Whether it tells other names of commands too. */
export const hasAliases = ({ paths }: Document): boolean =>
  Object.values(paths).some(path => Object.values(path).some(operation => operation['x-aliases'] !== undefined))
