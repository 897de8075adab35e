// Renders JSON Schemas as rows: key, type and description.

const api = JSON.parse(document.getElementById('document').textContent)

/** The schema that a reference leads to; its other keywords win. */
function resolve(schema) {
  if (!schema?.$ref) return schema ?? {}
  const { $ref, ...others } = schema
  const keys = $ref
    .slice(2)
    .split('/')
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { ...keys.reduce((at, key) => at?.[key], api), ...others }
}

const elementsOf = ({ items, prefixItems }) => resolve(items ?? prefixItems?.[0])

/** A schema in a few words: `string[]`, `integer or string`, `object`. */
function typeOf(schema) {
  const { type, enum: values, anyOf, ...rest } = resolve(schema)
  if (type === 'array') return `${typeOf(elementsOf(rest))}[]`
  if (type) return [type].flat().join(' or ')
  if (values)
    return [...new Set(values.map(value => (Number.isInteger(value) ? 'integer' : typeof value)))].join(' or ')
  return anyOf ? [...new Set(anyOf.map(typeOf))].join(' or ') : 'any'
}

/** What may be in a value, behind its description. */
function limitsOf(schema) {
  const { description, format, pattern, minimum, maximum, minItems, maxItems, minLength, items } = resolve(schema)
  const limits = []
  // A description explains the pattern.
  if (description === undefined && (pattern ?? format)) limits.push(`like ${pattern ?? format}`)
  // All values of a 32-bit number are no limit that a reader needs.
  if (maximum >= 2 ** 31 - 1) limits.push(...(minimum > 0 ? [`at least ${minimum}`] : []))
  else if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`)
  else if (minimum > 0) limits.push(`at least ${minimum}`)
  else if (maximum !== undefined) limits.push(`at most ${maximum}`)
  if (maxItems === 1) limits.push('exactly one')
  else if (maxItems !== undefined) limits.push(`${minItems ?? 0} to ${maxItems}`)
  else if (minItems > 0) limits.push(`at least ${minItems === 1 ? 'one' : minItems}`)
  if (minLength === 1 && description === undefined) limits.push('not empty')
  return [...limits, ...(items ? limitsOf(items) : [])].filter((limit, index, all) => all.indexOf(limit) === index)
}

function describe(schema) {
  const { description, enum: values, examples = [], type } = resolve(schema)
  const limits = limitsOf(schema).join(', ')
  const text = [description, limits].filter(Boolean).join(description?.endsWith('.') ? ' ' : '; ')
  const listed = values ?? (type === 'string' && examples.length > 1 ? examples : [])
  const label = values ? 'one of ' : 'such as '
  const chosen =
    listed.length > 1
      ? [label, listed.flatMap((value, index) => [index ? ' ' : '', make('code', {}, String(value))])]
      : []
  if (values?.length === 1) chosen.push('always ', make('code', {}, String(values[0])))
  const line = chosen.flat().length > 0 ? make('div', { className: 'values' }, chosen.flat()) : undefined
  return [text === '' ? undefined : make('div', {}, prose(text)), line]
}

/** `depth`: objects around it. `flag`: a word after the type. */
function row(name, type, flag, details, depth) {
  const label = [make('code', { className: 'key' }, name), make('span', { className: 'type' }, type)]
  if (flag) label.push(make('span', { className: `flag ${flag}` }, flag))
  return make(
    'div',
    { className: `row depth-${depth}` },
    make('div', { className: 'name' }, label),
    make('div', { className: 'about' }, details),
  )
}

const maxDepth = 3

/** A row per property, also of the objects inside. `marked`: whether required or optional keys have a word. */
function rowsOf(schema, marked, depth = 0, parents = []) {
  const { properties = {}, required = [] } = resolve(schema)
  return Object.entries(properties).flatMap(([key, value]) => {
    const isRequired = required.includes(key)
    const flag = isRequired === (marked === 'required') ? marked : ''
    return [
      row(key, typeOf(value), flag, describe(value), depth),
      ...innerRows(value, marked, depth + 1, [...parents, value]),
    ]
  })
}

/** Rows of the objects in a value, with `or` between those that exclude each other. */
function innerRows(value, marked, depth, parents) {
  const property = resolve(value)
  const inner = property.type === 'array' ? elementsOf(property) : property
  const isRepeated = parents.slice(0, -1).some(parent => parent.$ref && parent.$ref === parents.at(-1).$ref)
  const isOwnList =
    parents.length > 1 &&
    property.items?.$ref &&
    parents.slice(0, -1).some(({ items }) => items?.$ref === property.items.$ref)
  if (depth > maxDepth || isRepeated || isOwnList) return []
  const forms = (inner.anyOf ?? [inner]).filter(form => resolve(form).properties)
  return forms.flatMap((form, index) => [
    ...(index === 0 ? [] : [make('div', { className: `or depth-${depth}` }, 'or')]),
    ...rowsOf(form, marked, depth, parents),
  ])
}
