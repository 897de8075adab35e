// Renders the OpenAPI document that the page contains. Texts of commands are inserted as text and never as HTML.
const api = JSON.parse(document.getElementById('document').textContent)

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children.filter(child => child !== undefined))
  return element
}

/** The text, with the words between backticks as code. */
const prose = text => text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? make('code', {}, part) : part))

const resolve = schema => {
  if (!schema?.$ref) return schema ?? {}
  return schema.$ref.slice(2).split('/').reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], api) ?? {}
}

/** A schema in a few words: `string[]`, `1 | 2`, `object`. */
function typeOf(schema) {
  const { type, enum: values, items, prefixItems, anyOf } = resolve(schema)
  if (values) return values.map(value => JSON.stringify(value)).join(' | ')
  if (type === 'array') return `${items ? typeOf(items) : prefixItems ? typeOf(prefixItems[0]) : 'any'}[]`
  if (type) return [type].flat().join(' | ')
  return anyOf ? anyOf.map(typeOf).join(' | ') : 'any'
}

function limitsOf(schema) {
  const { description, format, pattern, minimum, maximum, minItems, maxItems, minLength } = resolve(schema)
  // A description explains the pattern, so the pattern itself is not shown.
  const keywords = { ...(description === undefined && { format, pattern }), minimum, maximum, minItems, maxItems, minLength }
  const limits = Object.entries(keywords).filter(([, value]) => value !== undefined)
  return [description, ...limits.map(([name, value]) => `${name} ${value}`)].filter(Boolean).join(', ')
}

/** A table row per property, also of the objects inside, whose keys begin with `before`. */
function rowsOf(schema, before = '', depth = 0, kind = 'payload') {
  const { properties = {}, required = [] } = resolve(schema)
  return Object.entries(properties).flatMap(([key, value]) => {
    const property = resolve(value)
    const inner = property.type === 'array' ? (property.items ?? property.prefixItems?.[0]) : property
    const isRequired = required.includes(key)
    const optional = kind === 'answer' && !isRequired ? '?' : ''
    const name = make('code', { className: kind === 'payload' && isRequired ? 'required' : '' }, before + key + optional)
    const row = make('tr', {}, make('td', {}, name), make('td', {}, typeOf(value)), make('td', { className: 'faint' }, limitsOf(value)))
    const separator = property.type === 'array' ? '[].' : '.'
    return [row, ...(depth < 3 && resolve(inner).properties ? rowsOf(inner, `${before}${key}${separator}`, depth + 1, kind) : [])]
  })
}

/** As `rowsOf`, of each form that an answer may have. */
const answerRowsOf = schema => (resolve(schema).anyOf ?? [schema]).flatMap(form => rowsOf(form, '', 0, 'answer'))

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`

function curlOf(method, path, { parameters = [], requestBody, security }) {
  const isRead = method === 'get' && requestBody !== undefined
  const queried = parameters.filter(one => one.in === 'query' && (one.required || isRead) && one.example !== undefined)
  const query = queried.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`).join('&')
  // A read takes its payload as the query, too, which every program can send.
  const example = isRead ? undefined : requestBody?.content['application/json'].example
  const origin = location.origin.startsWith('http') ? location.origin : 'http://127.0.0.1:8888'
  return [
    'curl',
    security?.length === 0 ? '' : ' -H "Authorization: $TOKEN"',
    ` ${quoted(`${origin}${path.replace('{rest}', '1')}${query && `?${query}`}`)}`,
    example === undefined ? (method === 'post' ? ' -X POST' : '') : ` \\\n  -d ${quoted(JSON.stringify(example))}`,
  ].join('')
}

const titled = (title, ...children) => [make('h4', {}, title), ...children]

function operationOf(path, method, operation) {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation
  const schema = requestBody?.content['application/json'].schema
  const rows = schema ? rowsOf(schema) : []
  const chips = [
    security?.length === 0 ? 'no token' : '',
    operation['x-origin'] === 'site' ? 'site' : '',
    requestBody && !requestBody.required ? 'payload optional' : '',
  ]
  const keys = parameters.map(one => {
    const name = make('code', { className: one.required ? 'required' : '' }, one.name)
    const where = make('td', { className: 'faint' }, one.in)
    return make('tr', {}, make('td', {}, name), where, make('td', { className: 'faint' }, one.description))
  })
  const answer = responses[200]?.content?.['application/json']?.schema
  const answerRows = answer ? answerRowsOf(answer) : []
  const responseRows = Object.entries(responses).map(([status, response]) => {
    const { description: what, headers = {}, content = {} } = resolve(response)
    const more = [...Object.keys(content), ...Object.keys(headers).map(name => `header ${name}`)].join(', ')
    return make('tr', {}, make('td', {}, make('code', {}, status)), make('td', {}, more), make('td', { className: 'faint' }, what))
  })
  const heading = make('h3', {}, make('span', { className: `method ${method}` }, method.toUpperCase()), make('code', {}, path))
  heading.append(...chips.filter(Boolean).map(text => make('span', { className: 'chip' }, text)))
  const details = make('details', {}, make('summary', { className: 'faint' }, 'Responses'), make('table', {}, ...responseRows))
  return make(
    'section',
    { id: operationId },
    heading,
    make('div', {}, summary),
    ...(description ? [make('p', {}, ...prose(description))] : []),
    ...(keys.length > 0 ? titled('Parameters, * required', make('table', {}, ...keys)) : []),
    ...(rows.length > 0 ? titled('Payload, * required', make('table', {}, ...rows)) : []),
    ...(answerRows.length > 0 ? titled('Answer, ? not always', make('table', {}, ...answerRows)) : []),
    ...titled('Example', make('pre', {}, curlOf(method, path, operation))),
    make('div', { className: 'responses' }, details),
  )
}

const main = document.getElementById('main')
const list = document.getElementById('list')
const { title, version, description } = api.info
document.title = `${title} API`
main.append(make('h1', {}, `${title} `, make('small', {}, version)))
main.append(...description.split('\n\n').map(part => make('p', {}, ...prose(part))))

const groups = new Map()
const shown = []
for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const [tag] = operation.tags
    if (!groups.has(tag)) groups.set(tag, list.appendChild(make('div', {}, make('h2', {}, tag))))
    const section = operationOf(path, method, operation)
    const name = make('span', { className: `method ${method}` }, method.toUpperCase())
    const link = make('a', { href: `#${operation.operationId}`, title: operation.summary }, name, path)
    const words = `${method} ${path} ${section.textContent}`.toLowerCase()
    groups.get(tag).append(link)
    main.append(section)
    shown.push({ link, section, words })
  }
}

const search = document.getElementById('search')
search.addEventListener('input', () => {
  const searched = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { link, section, words } of shown) {
    const hidden = !searched.every(word => words.includes(word))
    link.classList.toggle('hidden', hidden)
    section.classList.toggle('hidden', hidden)
  }
  for (const group of groups.values()) group.classList.toggle('hidden', !group.querySelector('a:not(.hidden)'))
})
// The browser has looked for the target of the link before the operations were rendered.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
