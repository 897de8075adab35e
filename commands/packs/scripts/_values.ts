// The values of a script's parameters: checked, with the defaults, as the texts that the script gets.
import type { Parameter, Script, Value } from './_script-schemas.ts'

/** What shells, agents and logs would not pass on as it is. */
const hasControls = (text: string) => /[^\P{Cc}\n\t]/u.test(text)

const expected: Record<Parameter['type'], string> = {
  text: 'a text of at most 2000 characters without control characters',
  integer: 'an integer',
  boolean: 'true or false',
}

const matches: Record<Parameter['type'], (text: string) => boolean> = {
  text: text => text.length <= 2000 && !hasControls(text),
  integer: text => /^-?\d{1,15}$/.test(text),
  boolean: text => text === 'true' || text === 'false',
}

function problemOf({ name, type, choices }: Parameter, value: Value): string | undefined {
  const text = String(value)
  if (!matches[type](text)) return `${name}: expected ${expected[type]}, got ${text.slice(0, 60)}`
  if (!choices || choices.includes(text)) return undefined
  return `${name}: expected ${choices.join(', ')}, got ${text.slice(0, 60)}`
}

/** By the name of the parameter, or what is wrong with them. */
export function textsOf(
  { parameters }: Pick<Script, 'parameters'>,
  values: Readonly<Record<string, Value>>,
): { texts: Record<string, string> } | { problem: string } {
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(values).find(name => !names.includes(name))
  if (unknown !== undefined)
    return { problem: `${unknown}: expected ${names.length === 0 ? 'no values' : names.join(', ')}` }
  const texts: Record<string, string> = {}
  for (const parameter of parameters) {
    const { name } = parameter
    const value = values[name] ?? parameter.default
    if (value === undefined) return { problem: `${name}: missing` }
    const problem = problemOf(parameter, value)
    if (problem !== undefined) return { problem }
    texts[name] = String(value)
  }
  return { texts }
}

/** What is wrong with a script, which has its fields by their schemas. */
export function scriptProblem({ parameters, ...script }: Script): string | undefined {
  const names = parameters.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return `parameters: ${repeated}: expected different names`
  const bytes = Buffer.byteLength(JSON.stringify({ parameters, ...script }))
  if (bytes > maxBytes) return `text: expected at most ${maxBytes} bytes as JSON, with the parameters, got ${bytes}`
  for (const parameter of parameters) {
    const problem = parameter.default === undefined ? undefined : problemOf(parameter, parameter.default)
    if (problem !== undefined) return `parameters: default of ${problem}`
  }
  return undefined
}

/** A document of a collection has at most 65,536. */
const maxBytes = 65_000
