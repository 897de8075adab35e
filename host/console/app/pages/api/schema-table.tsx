// The keys of a JSON Schema as the rows of a table: key, type and what may be in it.
import type { ComponentChildren } from 'preact'
import { type FormSchema, rowSchema } from '../../api/api-document.ts'
import { Prose } from './code-card.tsx'

interface Row {
  name: string
  type: string
  /** A word after the type. */
  flag?: string
  details: ComponentChildren
  /** Objects around it. */
  depth?: number
}

export function Table({ title, rows, id }: { title: string; rows: readonly Row[]; id?: string }) {
  if (rows.length === 0) return null
  return (
    <table id={id}>
      <caption>{title}</caption>
      <tbody>
        {rows.map(({ name, type, flag, details, depth = 0 }) => (
          <tr style={{ '--depth': depth }}>
            <th scope="row">
              <code>{name}</code> {type} {flag && <span class={flag === 'required' ? 'problem' : 'hint'}>{flag}</span>}
            </th>
            <td>{details}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A schema in a few words: `string[]`, `integer or string`, `object`. */
export function typeOf({ type, enum: values, anyOf, ...schema }: FormSchema): string {
  if (type === 'array') return `${typeOf(rowSchema(schema) ?? {})}[]`
  if (type) return [type].flat().join(' or ')
  const types = values?.map(value => (Number.isInteger(value) ? 'integer' : typeof value)) ?? anyOf?.map(typeOf)
  return types ? [...new Set(types)].join(' or ') : 'any'
}

/** What may be in a value, behind its description. */
function limitsOf(schema: FormSchema): string[] {
  const { description, pattern, format, minimum = 0, maximum, minItems = 0, maxItems, minLength, items } = schema
  const limits: string[] = []
  // A description explains the pattern.
  if (description === undefined && (pattern ?? format)) limits.push(`like ${pattern ?? format}`)
  // All values of a 32-bit number are no limit that a reader needs.
  if (maximum !== undefined && maximum < 2 ** 31 - 1) limits.push(`${minimum} to ${maximum}`)
  else if (minimum > 0) limits.push(`at least ${minimum}`)
  if (maxItems !== undefined) limits.push(maxItems === 1 ? 'exactly one' : `${minItems} to ${maxItems}`)
  else if (minItems > 0) limits.push(`at least ${minItems === 1 ? 'one' : minItems}`)
  if (minLength === 1 && description === undefined) limits.push('not empty')
  return [...new Set([...limits, ...(items ? limitsOf(items) : [])])]
}

export function Details({ schema }: { schema: FormSchema }) {
  const { description, enum: values, examples = [], type } = schema
  const text = [description, limitsOf(schema).join(', ')].filter(Boolean).join(description?.endsWith('.') ? ' ' : '; ')
  const listed = values ?? (type === 'string' && examples.length > 1 ? examples : [])
  const label = values?.length === 1 ? 'always' : values ? 'one of' : 'such as'
  return (
    <>
      <Prose text={text} />
      {listed.length > 0 && (
        <div class="hint">
          {label} {listed.map(value => [<code>{String(value)}</code>, ' '])}
        </div>
      )}
    </>
  )
}

const maxDepth = 3

/** A row per property, also of the objects inside. `marked`: whether required or optional keys have a word. */
export function rowsOf(schema: FormSchema, marked: 'required' | 'optional', depth = 0, parent = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const flag = isRequired === (marked === 'required') ? marked : ''
    const row = { name, type: typeOf(value), flag, details: <Details schema={value} />, depth }
    // A list in a list of its name is of a schema that contains itself.
    if (depth === maxDepth || name === parent) return [row]
    const inner = value.type === 'array' ? (rowSchema(value) ?? {}) : value
    const forms = (inner.anyOf ?? [inner]).map(form => rowsOf(form, marked, depth + 1, name))
    const or: Row = { name: '', type: 'or', details: '', depth: depth + 1 }
    return [row, ...forms.filter(rows => rows.length > 0).flatMap((rows, index) => (index ? [or, ...rows] : rows))]
  })
}
