// The examples of the OpenAPI document: a real host executes each of them; and what stands in place of `clients`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { payloadExample } from '../../host/api-docs/answer-example.ts'
import { readOperation } from '../../host/contract/api-document.ts'
import { sayHello } from '../harness/hello.ts'
import { addNotifyPack, siteOptions } from '../harness/notify-pack.ts'
import { viewSource } from '../harness/site-views.ts'
import { startTestHost, token } from '../harness/test-host.ts'

interface Operation {
  method: string
  path: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape
  operation: any
}

const lab = await startTestHost({ options: siteOptions })
const { json: document } = await lab.call('GET /openapi.json')
const operations: Operation[] = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: operation.operationId,
      operation,
    })),
)

const examples = suite('examples')
examples.after(() => lab.stop())

/** A connected client without a record, in place of the address of the examples, which no agent of a test can have. */
const pending = '127.0.0.3'

/** Adds the records that the examples need. */
examples.before(async () => {
  await addNotifyPack(lab)
  const file = join(lab.folder, 'site', '1.ts')
  const loaded = lab.event('module-loaded', { file })
  writeFileSync(file, viewSource('overview', 'data() { return { value: 1 } }'))
  await loaded
  await lab.addComputer('10.1.1.20')
  const introduced = lab.event('client-hello')
  sayHello(await lab.agent(pending), { mac: '001b210a0b0f' })
  await introduced
  // Job 1, with a failed part.
  const agent = await lab.agent('127.0.0.2')
  const ended = lab.event('job-finished')
  await lab.call('POST /hardware', { clients: [agent.addr] })
  await agent.next('/hardware')
  agent.answer(500)
  await ended
  await lab.call('POST /repository/add', { name: 'Second', ip: '10.0.0.2' })
  const create = { clients: ['10.1.1.20'], disk: '1', partition: '1', code: '131', repository: '10.0.0.1', id: '0' }
  mkdirSync(join(lab.folder, 'images'), { recursive: true })
  for (const name of ['first', 'purged', 'undeleted', 'ubuntu']) {
    await lab.call('POST /image/create', { ...create, name, description: name })
    writeFileSync(join(lab.folder, 'images', `${name}.img`), 'twelve bytes')
  }
  for (const image of ['2', '3']) await lab.call('POST /image/delete', { image })
  await lab.call('POST /procedure/add', { center: '1', name: 'Other' })
  await lab.call('POST /task/add', { center: '1', name: 'Other' })
  const schedule = { task: '1', name: 'Later', type: 'task', suspended: 1 }
  await lab.call('POST /schedule/create', schedule)
  await lab.call('POST /group/add', { name: 'first', where: 'tag:exam' })
  await lab.call('POST /token/add', { name: 'first', role: 'read' })
  await lab.call('POST /user/add', { name: 'first', password: 'a password', role: 'read' })
})

// The example of client/add adds the address that the updates change: they and the deletion of that client run first.
// Deletions of records that other examples need run last; a schedule created among them keeps no record from deletion.
const early = ['/update', '/client/delete']
const late = [
  '/login',
  '/schedule/delete',
  '/task/delete',
  '/schedule/create',
  '/procedure/delete',
  '/image/plan',
  '/image/unplan',
  '/room/delete',
  '/center/delete',
  '/pack/disable',
  '/pack/purge',
]
/** Entries of the bin have the time of the deletion as their id. */
const withEntry = (example: object, entry: number) => ({ ...example, ...('entry' in example && { entry }) })
const withAddress = (example: object, addr: string) => JSON.parse(JSON.stringify(example).replaceAll('10.1.1.20', addr))
const place = (ends: string[], path: string) => ends.findIndex(end => path.endsWith(end)) + 1
const rank = (path: string) => (place(early, path) || early.length + 1) + place(late, path)
const ranked = operations.toSorted((a, b) => rank(a.path) - rank(b.path))

for (const { method, path, id, operation } of ranked) {
  examples(`the example of ${id} is executed`, async () => {
    const declared = operation.requestBody?.content['application/json'].example
    const { bin } = (await lab.call('GET /image/bin')).json
    const deleted = declared && withEntry(declared, bin[0]?.id)
    const { changes } = (await lab.call('GET /undo')).json
    const undone = path === '/undo' && declared ? { id: changes[0]?.id } : deleted
    const example = path === '/client/adopt' ? withAddress(declared, pending) : undone
    const required = (operation.parameters ?? []).filter((one: { required?: boolean }) => one.required)
    const query = required.flatMap((one: { in: string; name: string; example: string }) =>
      one.in === 'query' ? [`${one.name}=${one.example}`] : [],
    )
    const route = `${method} ${path.replace('{rest}', '1')}${query.length > 0 ? `?${query.join('&')}` : ''}`
    const headers: Record<string, string> = operation.security?.length === 0 ? {} : { Authorization: token }
    const { status, headers: received, text } = await lab.call(route, example, headers)
    // A view is named behind the route, the token is that of no user, and there is no provider.
    if (['/view', '/me/password', '/login/start'].includes(path)) return is(status, 400)
    // No live system is built there, and no Node for Windows was added.
    if (path.startsWith('/live') || path === '/agent/node.exe') return is(status, 404)
    is(status, 200, `${status} ${lab.log.at(-1)}`)
    const { content, headers: described } = operation.responses[200]
    if (described) ok('x-job-id' in received)
    // Only who was logged in by a provider gets an address.
    if (content && path !== '/logout') ok(Object.keys(content).some(type => received['content-type']?.includes(type)))
    else is(text === '' || method === 'POST', true)
  })
}

examples('commands with clients list where and group in their place, but for those that store a query', async () => {
  const schemaOf = ({ operation }: Operation) => operation.requestBody?.content['application/json'].schema
  const found = operations.filter(({ operation }) => operation['x-finds-clients'])
  equal(
    found.flatMap(({ id }) => (id.endsWith('-rest') ? [] : id)).sort(),
    lab.host.registry.commands.flatMap(({ name, findsClients }) => (findsClients ? name : [])).sort(),
  )
  for (const each of found)
    equal(Object.keys(schemaOf(each).properties).slice(0, 3), ['clients', 'where', 'group'], each.id)
  const { post } = document.paths['/shell/run']
  const { required, oneOf } = post.requestBody.content['application/json'].schema
  equal([required, oneOf.length], [['run', 'echo'], 3])
  const { payload } = readOperation(post)
  equal([payload?.required, 'where' in Object(payload?.properties)], [['clients', 'run', 'echo'], false])
})

examples('without an example, a payload has that of its keys, unless a required one has none', () => {
  const properties = { clients: { $ref: 'clients' }, text: { type: 'string' } }
  equal(payloadExample({ payload: { type: 'object', required: ['clients'], properties } }), { clients: ['10.1.1.20'] })
  is(payloadExample({ payload: { type: 'object', required: ['text'], properties } }), undefined)
})

examples.run()
