// Renders the operations of the OpenAPI document, and what precedes them.

const base = new URL('.', location.href).href.replace(/\/$/, '')
const origin = base.startsWith('http') ? base : 'http://127.0.0.1:8888'
const quoted = text => `'${text.replaceAll("'", "'\\''")}'`

/** A read takes its payload as the query, too, which every program can send. */
function curlOf(method, path, { parameters = [], requestBody, security }) {
  const isRead = method === 'get' && requestBody !== undefined
  const queried = parameters.filter(one => one.in === 'query' && (one.required || isRead) && one.example !== undefined)
  const query = queried.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`).join('&')
  const example = isRead ? undefined : requestBody?.content['application/json'].example
  const lines = [
    `curl ${security?.length === 0 ? '' : '-H "Authorization: $TOKEN" '}\\`,
    `  ${quoted(`${origin}${path}${query && `?${query}`}`)}`,
  ]
  if (example !== undefined) lines.push(`  -d ${quoted(formatJson(example, '  ', `  -d ''`.length))}`)
  else if (method === 'post') lines.push('  -X POST')
  return lines.join(' \\\n').replace('\\ \\', '\\')
}

const table = (title, rows) =>
  rows.length > 0 ? make('div', { className: 'table' }, make('h4', {}, title), rows) : undefined

function payloadTable(method, { requestBody }) {
  const schema = requestBody?.content['application/json'].schema
  const title =
    method === 'get' ? 'Payload, as query or JSON body' : requestBody?.required ? 'Payload' : 'Payload, may be absent'
  return schema && table(title, rowsOf(schema, 'required'))
}

/** Without the keys of the payload, which a read also takes as query. */
function queryTable({ parameters = [], requestBody }, rest) {
  const keys = Object.keys(resolve(requestBody?.content['application/json'].schema).properties ?? {})
  const own = [
    ...(rest?.parameters.filter(one => one.in === 'path') ?? []),
    ...parameters.filter(({ name }) => !keys.includes(name)),
  ]
  const rows = own.map(({ name, in: place, required, schema, description }) => {
    const text = description ?? resolve(schema).description
    const details = describe({ ...resolve(schema), description: text })
    return row(
      place === 'path' ? '/…' : name,
      place === 'path' ? 'rest of the path' : typeOf(schema),
      required && place !== 'path' ? 'required' : '',
      details,
      0,
    )
  })
  return table(rest ? 'Path and query' : 'Query', rows)
}

function answerTable({ content = {} }) {
  const [answer] = Object.values(content)
  const forms = answer ? (resolve(answer.schema).anyOf ?? [answer.schema]) : []
  return forms.map(form =>
    table(['Answer', forms.length > 1 ? resolve(form).title : ''].filter(Boolean).join(': '), rowsOf(form, 'optional')),
  )
}

function answerCards({ content = {}, headers = {} }) {
  const [entry] = Object.entries(content)
  if (!entry) {
    const names = Object.keys(headers).map(name => [', header ', make('code', {}, name)])
    return [make('div', { className: 'empty' }, make('b', {}, '200'), ' without a body', names.flat())]
  }
  const [type, { example, examples }] = entry
  const forms = examples ? Object.values(examples) : example === undefined ? [] : [{ value: example }]
  if (forms.length === 0) return [make('div', { className: 'empty' }, make('b', {}, '200'), ` ${type}`)]
  return forms.map(({ summary = 'Answer', value }) =>
    codeCard(summary, `200 ${type}`, typeof value === 'string' ? value : formatJson(value)),
  )
}

function chipsOf({
  security,
  'x-origin': place,
  'x-destructive': destructive,
  'x-needs-consent': consent,
  'x-aliases': aliases = [],
}) {
  return [
    security?.length === 0 ? chip('no token') : undefined,
    place === 'site' ? chip('site', 'site') : undefined,
    destructive ? chip('deletes or ends', 'danger', 'Programs should ask before they send it') : undefined,
    consent ? chip('needs consent', 'danger', 'Scripts must not send it unasked') : undefined,
    ...aliases.map(alias => chip(`alias ${alias}`)),
  ]
}

const method = name => make('span', { className: `method ${name}` }, name.toUpperCase())

/** `rest` is the operation for the paths below this one. */
function operationOf(path, name, operation, rest) {
  const { operationId, summary, description, responses } = operation
  const codes = Object.keys(responses).filter(code => code !== '200')
  const links = codes.flatMap(code => [' ', make('a', { href: '#refusals' }, code)])
  const route = make('div', { className: 'route' }, method(name), make('code', {}, path), chipsOf(operation))
  const heading = make('h3', {}, make('a', { className: 'anchor', href: `#${operationId}` }, summary))
  const left = make(
    'div',
    { className: 'left' },
    heading,
    route,
    description ? make('p', {}, prose(description)) : undefined,
  )
  left.append(
    ...[payloadTable(name, operation), queryTable(operation, rest), ...answerTable(responses[200])].filter(Boolean),
  )
  left.append(
    make(
      'p',
      { className: 'codes' },
      'Refusals:',
      links,
      make('span', { className: 'id' }, 'Command ', make('code', {}, operationId)),
    ),
  )
  const right = make(
    'div',
    { className: 'right' },
    codeCard('Request', 'curl', curlOf(name, path, operation)),
    answerCards(responses[200]),
  )
  return make('article', { id: operationId }, left, right)
}

function overview() {
  const { title, version, description } = api.info
  const paragraphs = description.split('\n\n').map(part => make('p', {}, prose(part)))
  const schemes = Object.values(api.components.securitySchemes).map(
    ({ type, scheme, name, description: text = '' }) => {
      const form = scheme
        ? `Authorization: ${scheme === 'basic' ? 'Basic' : 'Bearer'} …`
        : name === 'token'
          ? '?token=…'
          : `${name}: …`
      return row(form, type === 'http' ? scheme : 'token', '', prose(text || 'The token'), 0)
    },
  )
  const responses = new Map(
    Object.values(api.paths).flatMap(methods => Object.values(methods).flatMap(one => Object.entries(one.responses))),
  )
  responses.delete('200')
  const refusals = [...responses]
    .sort()
    .map(([code, response]) =>
      row(code, '', '', prose(resolve(response).description.replace(' The body is empty.', '')), 0),
    )
  const start = [
    `TOKEN=$(cat data/api_token)`,
    `curl -H "Authorization: $TOKEN" \\\n  ${quoted(`${origin}/clients`)}`,
  ].join('\n')
  const left = make('div', { className: 'left' }, make('h1', {}, title, ' ', make('small', {}, version)), paragraphs)
  left.append(table('Token', schemes))
  const list = table('Refusals', refusals)
  list.id = 'refusals'
  left.append(list)
  const right = make('div', { className: 'right' }, codeCard('First request', 'shell', start))
  return make('article', { id: 'top', className: 'overview' }, left, right)
}
