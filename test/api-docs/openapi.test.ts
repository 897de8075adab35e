// The OpenAPI document and its page: valid, complete, and in step with the commands.
import { Validator } from '@seriousme/openapi-schema-validator'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { groups } from '../../host/api-docs/groups.ts'
import { toOpenApi } from '../../host/api-docs/openapi-schema.ts'
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
api.after(() => site.stop())

api('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  ok(valid, JSON.stringify(errors, null, 1))
  is(document.openapi, '3.1.0')
})

api('every command in service is an operation under its own name', () => {
  const described = operations.filter(({ path }) => !path.endsWith('/{rest}'))
  equal(
    described.map(({ id, method, path }) => `${id}: ${method} ${path}`).sort(),
    lab.host.registry.commands.map(({ name, command }) => `${name}: ${command.route}`).sort(),
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
  is(Object.keys(paths['/shell/run'].post.responses).join(' '), '200 400 401 403 404 405 413 429 500')
  for (const path of ['/procedure/run', '/task/run', '/job/retry']) ok('429' in paths[path].post.responses, path)
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
      local: { $ref: '#/definitions/part' },
    },
    enum: [{ items: [1] }],
  }
  equal(toOpenApi(schema, '#/here'), {
    type: 'object',
    definitions: { part: { $ref: '#/components/schemas/ipv4' } },
    properties: {
      items: { prefixItems: [{ $ref: '#/components/schemas/clients' }], items: false },
      local: { $ref: '#/here/definitions/part' },
    },
    enum: [{ items: [1] }],
  })
})

api('every built-in command is in a group with a description, and the document lists the groups', () => {
  const described = new Set(groups.filter(({ description }) => description).map(({ name }) => name))
  const names = operations.map(({ operation }) => operation.tags[0])
  equal(
    names.filter(name => !described.has(name)),
    [],
  )
  equal(document.tags, groups)
})

api("a site's command names its own group, or is in the group Site", async () => {
  const source = (group: string, path: string) =>
    `export default { summary: 'Print', ${group}route: 'GET ${path}', answer() {} }\n`
  await site.save('print.ts', source("group: 'Printers', ", '/print'))
  await site.save('paper.ts', source('', '/paper'))
  const { paths, tags } = await read()
  equal([paths['/print'].get.tags, paths['/paper'].get.tags], [['Printers'], ['Site']])
  equal(tags.slice(groups.length), [{ name: 'Printers' }, { name: 'Site' }])
})

api('the example of an answer is derived from the examples in its schema', async () => {
  const returns = `{ type: 'object', required: ['at', 'state', 'list', 'count'], properties: {
    at: { $ref: 'ipv4' }, state: { enum: ['on', 'off'] }, count: { type: 'integer', examples: [3] },
    list: { type: 'array', items: { $ref: '#/definitions/part' } }, hidden: { type: 'string' } },
    definitions: { part: { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } } } }`
  await site.save(
    'sample.ts',
    `export default { summary: 'S', route: 'GET /sample', answer() {}, returns: ${returns} }\n`,
  )
  const { get } = (await read()).paths['/sample']
  equal(get.responses[200].content['application/json'].example, {
    at: '10.1.1.20',
    state: 'on',
    count: 3,
    list: [{ a: false }],
  })
})

api('an answer with several forms has an example of each', () => {
  const { examples } = document.paths['/jobs'].get.responses[200].content['application/json']
  equal(Object.keys(examples), ['form-1', 'form-2'])
  is(examples['form-1'].value.jobs.length, 1)
  is(examples['form-2'].value.parts.length, 1)
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

api('the request to the agents, and what kind of text a key has, are in the document', async () => {
  const { paths } = await read()
  const { post } = paths['/shell/run']
  is(post['x-forward'], 'POST /shell/run')
  is(post.requestBody.content['application/json'].schema.properties.run.contentMediaType, 'text/x-shellscript')
  is(paths['/mode'].post['x-forward'], undefined)
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
