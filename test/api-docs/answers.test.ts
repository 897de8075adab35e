// Real answers of every command match the schemas that the commands declare as `returns`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, not, ok } from 'uvu/assert'
import { answerExamples } from '../../host/api-docs/answer-example.ts'
import { createSchemas } from '../../host/modules/schemas.ts'
import { sayHello } from '../harness/hello.ts'
import { layout } from '../harness/lab-images.ts'
import { notifySource } from '../harness/notify-pack.ts'
import { startViews, viewOfEachKind } from '../harness/site-views.ts'

const lab = await startViews({
  notify: notifySource,
  tidy: `export default { summary: 'Tidy up', every: '1 day', run() {} }`,
  ...viewOfEachKind,
})
const byRoute = new Map(lab.host.registry.commands.map(loaded => [`${loaded.command.route}`, loaded]))

const answers = suite('answers')
answers.after(() => lab.stop())

/** The schema without undeclared keys, so that an answer cannot have keys that it does not declare. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!(schema instanceof Object)) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)])
  return Object.fromEntries('properties' in schema ? [...entries, ['additionalProperties', false]] : entries)
}

function checkOf(route: string): (answer: unknown) => string | undefined {
  const { returns } = byRoute.get(route)?.command ?? {}
  if (!returns) throw new Error(`${route}: declares no answer`)
  // `as`: a closed object stays an object.
  return createSchemas().compile(closed(returns) as object, 'answer')
}

let addr = ''
const disabledPack = async () => (await lab.call('POST /pack/disable', { pack: 'notify' })) && { pack: 'notify' }
const user = { name: 'anna', password: 'a password of hers' }

/** A lab in which every list has an element. */
answers.before(async () => {
  await lab.call('POST /pack/settings', { pack: 'notify', settings: { password: 'secret' } })
  const { addr: client, agent } = await lab.computer(layout)
  addr = client
  await lab.addComputer('127.0.5.201', { place: { row: 1, column: 2 } })
  const introduced = lab.event('client-hello')
  sayHello(await lab.agent('127.0.5.202'), {
    name: 'pc-202',
    mac: '020000000202',
    serial: '1',
    os: 'Linux',
    agent: '1',
  })
  await introduced
  const login = lab.event('session-login')
  agent.event('start', 'ana')
  await login
  await lab.call('POST /wol', { clients: ['127.0.5.201'], type: 'unicast' })
  await lab.command(addr, agent, 'POST /hardware', {}, { hardware: 'cpu=Its first processor' })
  await lab.command(addr, agent, 'POST /hardware', {}, { hardware: 'cpu=A processor' })
  const place = { disk: '1', partition: '1' }
  await lab.command(addr, agent, 'POST /software', place, { software: 'Debian 12\nvim 9', partition: '1' })
  await lab.command(addr, agent, 'POST /shell/run', { run: 'id', echo: true }, { out: 'root' })
  const failed = lab.event('job-finished')
  await lab.call('POST /session', { clients: [addr], ...place })
  await agent.next('/session')
  agent.answer(500)
  await failed
  const image = { ...place, name: 'first', code: '131', repository: '10.1.1.2', id: '0', description: 'first' }
  await lab.call('POST /image/create', { clients: ['10.9.9.9'], ...image })
  mkdirSync(join(lab.folder, 'images'), { recursive: true })
  writeFileSync(join(lab.folder, 'images', 'first.img'), 'twelve bytes')
  await lab.call('POST /image/create', { clients: ['10.9.9.9'], ...image, name: 'deleted' })
  writeFileSync(join(lab.folder, 'images', 'deleted.img'), 'twelve bytes')
  await lab.call('POST /image/delete', { image: '2' })
  await lab.call('POST /procedure/add', { center: '1', name: 'One', steps: [{ command: 'poweroff', params: {} }] })
  const scope = { type: 'room', id: 1 }
  await lab.call('POST /task/add', { center: '1', name: 'One', steps: [{ procedure: 1 }], scope, clients: [addr] })
  await lab.call('POST /schedule/command', { clients: ['10.9.9.9'], command: 'poweroff', params: {} })
  await lab.call('POST /schedule/create', { task: '1', name: 'Later', type: 'task', suspended: 1 })
  await lab.call('POST /group/add', { name: 'Exam', where: 'tag:exam' })
  await lab.call('POST /group/add', { name: 'List', clients: [addr] })
  await lab.call('POST /token/add', { name: 'lab', role: 'read', rooms: [1] })
  await lab.call('POST /user/add', { ...user, role: 'read', rooms: [1] })
  for (let others = 0; others < 2; others += 1) {
    const other = await lab.computer(layout)
    await lab.command(other.addr, other.agent, 'POST /hardware', {}, { hardware: 'cpu=Another processor' })
  }
})

const csv = (rows: string, more = {}) => ({ format: 'csv', room: 1, text: `name,ip,mac\n${rows}\n`, ...more })

/** A request for each command whose answer is JSON. */
const requests: [request: string, payload?: () => object][] = [
  ['GET /agents'],
  ['GET /clients'],
  ['GET /client/info', () => ({ client: [addr] })],
  ['GET /client/setup', () => ({ client: [addr] })],
  ['GET /client/systems', () => ({ clients: [addr] })],
  ['GET /doctor'],
  ['GET /drain'],
  ['GET /hardware', () => ({ client: [addr] })],
  ['GET /history/client', () => ({ client: [addr] })],
  ['GET /history/rooms'],
  ['GET /image/bin'],
  ['GET /image/stats'],
  ['POST /image/plan', () => ({ image: 'first', rooms: [1], disk: '1', partition: '9', at: '22:00', batch: 20 })],
  ['GET /image/plans'],
  ['GET /inventory/summary'],
  ['GET /job/report?id=1'],
  ['GET /failures'],
  ['GET /jobs'],
  ['GET /jobs/4?client=127.0.5.1'],
  ['GET /me'],
  ['GET /mode'],
  ['GET /mode/preview', () => ({ clients: [addr], mode: 'pxe' })],
  ['GET /modules'],
  ['GET /oglive/list'],
  ['GET /openapi.json'],
  ['GET /packs'],
  ['GET /pending'],
  ['GET /places'],
  ['GET /procedures'],
  ['GET /readyz'],
  ['GET /repositories'],
  ['GET /inventory/history', () => ({ client: [addr] })],
  ['GET /room/differences', () => ({ room: 1 })],
  ['GET /room/info', () => ({ room: 1 })],
  ['GET /search?where=name:*'],
  ['GET /search/fields'],
  ['GET /search/values?field=room'],
  ['GET /schedule/firings'],
  ['GET /schedule/next?id=1'],
  ['GET /scopes'],
  ['GET /sessions'],
  ['GET /session', () => ({ client: [addr] })],
  ['GET /software', () => ({ client: [addr], disk: 1, partition: 1 })],
  ['GET /software?search=vim'],
  ['GET /view/card', () => ({ client: [addr] })],
  ...['stats', 'tasks', 'tokens', 'audit', 'users', 'views', 'hooks'].map((name): [string] => [`GET /${name}`]),
  ...['groups', 'healthz', 'hosts', 'images'].map((name): [string] => [`GET /${name}`]),
  ...['marks', 'figure', 'rules', 'load'].map((view): [string] => [`GET /view/${view}`]),
  ['POST /login', () => user],
  ['POST /token/add', () => ({ name: 'other', role: 'read' })],
  ['POST /client/import', () => csv('pc-new,10.7.0.1,020000000071')],
  ['POST /client/import', () => csv('renamed,10.7.0.1,020000000071\nrenamed,10.7.0.2,020000000072', { update: true })],
  ['POST /client/import', () => csv('', { room: 99 })],
  ['POST /client/import', () => csv('pc,x,020000000071')],
  ['POST /drain', () => ({ cancel: true })],
  ['POST /login/link'],
  ['POST /pack/purge', disabledPack],
  ['POST /schedule/get', () => ({})],
  ['GET /schedules'],
  ['POST /shell/output', () => ({ clients: [addr] })],
  ['GET /undo'],
  ['GET /deletion', () => ({ kind: 'image', id: 1 })],
  ['POST /undo'],
]

const ofProvider = ['GET /login/claims', 'GET /login/provider', 'POST /login/start', 'POST /logout']
const routeOf = (request: string) => request.replace(/^(GET \/view)\/.*|(\/\d+)?(\?.*)?$/, '$1')

for (const [request, payload] of requests) {
  answers(`the answer of ${request} matches its schema`, async () => {
    const { status, json, headers } = await lab.call(request, await payload?.())
    if (status === 400 && request.includes('import')) return is(headers['x-reason'], 'room: there is no room 99')
    is(status, 200, lab.log.at(-1))
    is(checkOf(routeOf(request))(json), undefined)
    // An empty list would match any schema.
    const mayBeEmpty = ['centers', 'conflicts', 'next', 'rooms', 'running_jobs', 'security', 'warnings']
    if (request === 'GET /history/client') mayBeEmpty.push('changes')
    const empty = Object.entries<unknown>(json).filter(([, value]) => Array.isArray(value) && value.length === 0)
    equal(
      empty.map(([key]) => key).filter(key => !mayBeEmpty.includes(key)),
      [],
    )
  })
}

answers('every command with a JSON answer declares it, and is called above or by tests of access/', () => {
  const declared = [...byRoute].flatMap(([route, { command }]) => (command.returns && !command.mediaType ? route : []))
  const called = [...requests.map(([request]) => routeOf(request)), 'POST /me/password', ...ofProvider]
  equal(declared.sort(), [...new Set(called)].sort())
  const reads = [...byRoute].filter(([route, { command }]) => route.startsWith('GET ') && !command.mediaType)
  equal(
    reads.flatMap(([route, { command }]) => (command.returns ? [] : [route])),
    [],
  )
})

answers('the example of every answer matches its schema, and its values are no placeholders', () => {
  for (const [route, { command }] of byRoute) {
    if (!command.returns) continue
    for (const { value } of answerExamples(command.returns)) {
      is(checkOf(route)(value), undefined, `${route} ${JSON.stringify(value)}`)
      not.match(JSON.stringify(value), /[:[]"text"/, route)
    }
  }
})

answers('the states and the status of a client are those that the schema names', async () => {
  const { clients } = (await lab.call('GET /clients')).json
  ok(clients.some(({ state }: { state: string }) => state === 'WOL_SENT'))
  ok(clients.some(({ status }: { status?: string }) => status === 'oglive'))
})

answers('a flag that is absent when it does not hold is true when it is there', () => {
  const flagsIn = (schema: unknown): unknown[] => {
    if (!(schema instanceof Object)) return []
    const own = 'enum' in schema && Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum : []
    return [...own.filter(value => typeof value === 'boolean'), ...Object.values(schema).flatMap(flagsIn)]
  }
  const flags = [...byRoute.values()].flatMap(({ command }) => flagsIn(command.returns))
  ok(flags.length > 0 && flags.every(flag => flag === true))
})

answers.run()
