// The OpenAPI document and its page: valid, complete, and in step with the commands.
import { Validator } from '@seriousme/openapi-schema-validator'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { translate } from '../../host/api-docs/openapi-schema.ts'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site

const read = async () => (await lab.call('GET /openapi.json')).json

interface Operation {
  method: string
  path: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape
  operation: any
}

const operationsOf = (document: { paths: Record<string, Record<string, { operationId: string }>> }): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: operation.operationId,
      operation,
    })),
  )

const document = await read()
const operations = operationsOf(document)

const api = suite('OpenAPI document')

api('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  ok(valid, JSON.stringify(errors, null, 1))
  is(document.openapi, '3.1.0')
})

api('every command in service is an operation under its own name', () => {
  const described = operations.filter(({ path }) => !path.endsWith('/{rest}'))
  equal(
    described.map(({ id, method, path }) => `${id}: ${method} ${path}`).sort(),
    lab.host
      .commands()
      .map(({ name, command }) => `${name}: ${command.route}`)
      .sort(),
  )
})

api('every reference leads to a part of the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer)
  ok(references.length > 100)
  const broken = references.filter(
    pointer => pointer.split('/').reduce((at, key) => at?.[key.replaceAll('~1', '/')], document) === undefined,
  )
  equal(broken, [])
})

api('errors have no body, and an operation without a token has no 401', () => {
  const { responses, paths } = { ...document.components, paths: document.paths }
  equal(
    Object.values(responses).filter(response => 'content' in Object(response)),
    [],
  )
  equal(Object.keys(paths['/shell/run'].post.responses), ['200', '400', '401', '403', '404', '405', '413', '500'])
  equal(paths['/healthz'].get.security, [])
  ok(!('401' in paths['/healthz'].get.responses))
})

api('the forms of the token are security schemes', () => {
  const { token: raw, bearer, basic, query } = document.components.securitySchemes
  equal([raw.name, bearer.scheme, basic.scheme, query.name], ['Authorization', 'bearer', 'basic', 'token'])
  equal(document.paths['/events'].get.security.at(-1), { query: [] })
  equal(document.paths['/metrics'].get.security.at(-1), {})
})

api('a schema of draft 7 is translated to the dialect of OpenAPI 3.1', () => {
  const schema = {
    $id: 'mine',
    type: 'object',
    definitions: { part: { $ref: 'ipv4' } },
    properties: {
      items: { items: [{ $ref: 'clients' }], additionalItems: false },
      own: { $ref: '#/definitions/part' },
    },
    enum: [{ items: [1] }],
  }
  equal(translate(schema, '#/here'), {
    type: 'object',
    definitions: { part: { $ref: '#/components/schemas/ipv4' } },
    properties: {
      items: { prefixItems: [{ $ref: '#/components/schemas/clients' }], items: false },
      own: { $ref: '#/here/definitions/part' },
    },
    enum: [{ items: [1] }],
  })
})

api("a site's command is in the document, and an edit changes it", async () => {
  const source = (summary: string) =>
    `export default { summary: '${summary}', route: 'POST /mine', answer() {},
  payload: { type: 'object', properties: { a: { $ref: '#/definitions/b' } }, definitions: { b: { type: 'string' } } } }\n`
  await site.save('mine.ts', source('first'))
  const added = await read()
  equal([added.paths['/mine'].post.summary, added.paths['/mine'].post['x-origin']], ['first', 'site'])
  const { valid, errors } = await new Validator().validate(structuredClone(added))
  ok(valid, JSON.stringify(errors))
  await site.save('mine.ts', source('second'))
  is((await read()).paths['/mine'].post.summary, 'second')
})

api('the properties of a query schema become parameters', async () => {
  const query = `query: {
    type: 'object',
    required: ['day'],
    properties: {
      day: { type: 'string', pattern: '^[0-9-]+$', description: 'The day of the report', examples: ['2026-01-31'] },
      room: { $ref: 'id' },
    },
  }`
  await site.save('report.ts', `export default { summary: 'Report', route: 'GET /report', answer() {}, ${query} }\n`)
  equal((await read()).paths['/report'].get.parameters, [
    {
      name: 'day',
      in: 'query',
      required: true,
      schema: { type: 'string', pattern: '^[0-9-]+$' },
      description: 'The day of the report',
      example: '2026-01-31',
    },
    { name: 'room', in: 'query', required: false, schema: { $ref: '#/components/schemas/id' } },
  ])
})

api('the schema of returns, the aliases, and what callers should confirm are in the document', async () => {
  const returns = "returns: { type: 'object', properties: { at: { $ref: 'ipv4' } } }"
  const source = `export default { summary: 'Locate', route: 'POST /locate', aliases: ['find-it'], answer() {}, ${returns} }\n`
  await site.save('locate.ts', source)
  const changed = await read()
  const { post } = changed.paths['/locate']
  equal(post['x-aliases'], ['find-it'])
  const consent = ({ post }: Record<string, Record<string, unknown>>) => [
    post?.['x-destructive'],
    post?.['x-needs-consent'],
  ]
  equal(consent(changed.paths['/poweroff']), [true, undefined])
  equal(consent(changed.paths['/room/delete']), [true, true])
  equal(consent(changed.paths['/room/add']), [undefined, undefined])
  equal(post.responses[200].content['application/json'].schema, {
    type: 'object',
    properties: { at: { $ref: '#/components/schemas/ipv4' } },
  })
  const { valid, errors } = await new Validator().validate(structuredClone(changed))
  ok(valid, JSON.stringify(errors))
})

api.run()

const page = suite('API page')
page.after(() => site.stop())

page('GET /docs is one page that loads nothing else', async () => {
  const { status, headers, text } = await lab.call('GET /docs')
  equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  not.match(text, /<link|<img|\bsrc=|@import|url\(|import\(|fetch\(/)
  match(text, /default-src 'none'/)
  const [, json = ''] = /<script type="application\/json" id="document">(.*)<\/script>/.exec(text) ?? []
  equal(JSON.parse(json), await read())
})

page('the summary of a command cannot insert HTML into the page', async () => {
  const summary = '</script><script>alert(1)</script>'
  await site.save('evil.ts', `export default { summary: '${summary}', route: 'GET /evil', answer() {} }\n`)
  not.match((await lab.call('GET /docs')).text, 'alert(1)</script>')
  is((await read()).paths['/evil'].get.summary, summary)
})

page.run()
