// The API's own description: valid, complete, as the modules are, and true of every operation with its example.
import { Validator } from '@seriousme/openapi-schema-validator'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { translate } from '../../host/api-docs/openapi-schema.ts'
import { startSite } from '../harness/site-folder.ts'
import { token } from '../harness/test-host.ts'

const site = await startSite()
const { lab } = site

const read = async () => (await lab.call('GET /openapi.json')).json

interface Operation {
  method: string
  path: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says by itself what shape it expects
  of: any
}

const operationsOf = (document: { paths: Record<string, Record<string, { operationId: string }>> }): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, of]) => ({ method: method.toUpperCase(), path, id: of.operationId, of })),
  )

const document = await read()
const operations = operationsOf(document)

const description = suite('description')

description('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  ok(valid, JSON.stringify(errors, null, 1))
  is(document.openapi, '3.1.0')
})

description('every command in service is an operation under its own name', () => {
  const found = operations.filter(({ path }) => !path.endsWith('/{rest}'))
  equal(
    found.map(({ id, method, path }) => `${id}: ${method} ${path}`).sort(),
    lab.host
      .commands()
      .map(({ name, command }) => `${name}: ${command.route}`)
      .sort(),
  )
})

description('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer)
  ok(references.length > 100)
  const lost = references.filter(
    pointer => pointer.split('/').reduce((at, key) => at?.[key.replaceAll('~1', '/')], document) === undefined,
  )
  equal(lost, [])
})

description('the errors have no body, and an open operation no 401', () => {
  const { responses, paths } = { ...document.components, paths: document.paths }
  equal(
    Object.values(responses).filter(response => 'content' in Object(response)),
    [],
  )
  equal(Object.keys(paths['/shell/run'].post.responses), ['200', '400', '401', '404', '405', '413', '500'])
  equal(paths['/healthz'].get.security, [])
  ok(!('401' in paths['/healthz'].get.responses))
})

description('the forms of the token are security schemes', () => {
  const { token: raw, bearer, basic, query } = document.components.securitySchemes
  equal([raw.name, bearer.scheme, basic.scheme, query.name], ['Authorization', 'bearer', 'basic', 'token'])
  equal(document.paths['/events'].get.security.at(-1), { query: [] })
  equal(document.paths['/metrics'].get.security.at(-1), {})
})

description('a schema of draft 7 becomes one of 3.1', () => {
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

description("a site's module is in it while it is in service, and an edit shows", async () => {
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

description.run()

const page = suite('page')

page('GET /docs is one page that reaches for nothing outside', async () => {
  const { status, headers, text } = await lab.call('GET /docs')
  equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  not.match(text, /<link|<img|\bsrc=|@import|url\(|import\(|fetch\(/)
  match(text, /default-src 'none'/)
  const [, json = ''] = /<script type="application\/json" id="document">(.*)<\/script>/.exec(text) ?? []
  equal(JSON.parse(json), await read())
})

page('what a module says cannot break out of the page', async () => {
  const summary = '</script><script>alert(1)</script>'
  await site.save('evil.ts', `export default { summary: '${summary}', route: 'GET /evil', answer() {} }\n`)
  not.match((await lab.call('GET /docs')).text, 'alert(1)</script>')
  is((await read()).paths['/evil'].get.summary, summary)
})

page.run()

const calls = suite('operations')
calls.after(() => site.stop())

/** What a lab has in which every example can be done. */
calls.before(async () => {
  await lab.addComputer('10.1.1.20')
  // The first job, which has left something undone.
  const agent = await lab.agent('127.0.0.2')
  const ended = lab.event('job-finished')
  await lab.call('POST /hardware', { clients: [agent.addr] })
  await agent.next('/hardware')
  agent.answer(500)
  await ended
  await lab.call('POST /repository/add', { name: 'Second', ip: '10.0.0.2' })
  const create = { clients: ['10.1.1.20'], disk: '1', partition: '1', code: '131', repository: '10.0.0.1', id: '0' }
  await lab.call('POST /image/create', { ...create, name: 'first', description: 'first' })
  await lab.call('POST /procedure/add', { center: '1', name: 'Other' })
  await lab.call('POST /task/add', { center: '1', name: 'Other' })
  const schedule = { task: '1', name: 'Later', type: 'task', suspended: 1 }
  await lab.call('POST /schedule/create', schedule)
})

// The address that an addition wants is there for the changes before it. What goes is needed by others: it goes after
// those that name it, and what is scheduled only then keeps nothing.
const early = ['/update', '/client/delete']
const late = [
  '/schedule/delete',
  '/task/delete',
  '/schedule/create',
  '/procedure/delete',
  '/room/delete',
  '/center/delete',
]
const place = (ends: string[], path: string) => ends.findIndex(end => path.endsWith(end)) + 1
const turn = (path: string) => (place(early, path) || early.length + 1) + place(late, path)
const inTurn = operations.toSorted((a, b) => turn(a.path) - turn(b.path))

for (const { method, path, id, of } of inTurn) {
  calls(`${id}: its example is performed`, async () => {
    const example = of.requestBody?.content['application/json'].example
    const asked = (of.parameters ?? []).filter((one: { required?: boolean }) => one.required)
    const query = asked.flatMap((one: { in: string; name: string; example: string }) =>
      one.in === 'query' ? [`${one.name}=${one.example}`] : [],
    )
    const route = `${method} ${path.replace('{rest}', '1')}${query.length > 0 ? `?${query.join('&')}` : ''}`
    const headers: Record<string, string> = of.security?.length === 0 ? {} : { Authorization: token }
    const { status, headers: given, text } = await lab.call(route, example, headers)
    is(status, 200, `${status} ${lab.log.at(-1)}`)
    const { content, headers: told } = of.responses[200]
    if (told) ok('x-job-id' in given)
    if (content) ok(Object.keys(content).some(type => given['content-type']?.includes(type)))
    else is(text === '' || method === 'POST', true)
  })
}

calls.run()
