// What the options of a command for records have changed, in words.
import type { CommandParser } from './command-parser.ts'

/** `: gateway 10.1.1.254, tags ["cad"]`, or `: no tags`: what the options have said. */
export function changesOf({ fields, nested, command }: CommandParser, payload: Record<string, unknown>): string {
  const own = fields.filter(({ option }) => command.getOptionValue(option.attributeName()) !== undefined)
  const parts = nested.flatMap(([key]) => (key in payload ? Object.entries(Object(payload[key])) : []))
  const entries = [...own.map(({ key }): [string, unknown] => [key, payload[key]]), ...parts]
  const texts = entries.map(([key, value]) => {
    if (Array.isArray(value) && value.length === 0) return `no ${key}`
    return `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`
}
