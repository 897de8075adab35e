// Images belong to rooms: a caller with rights for some rooms writes only those of its rooms, on every way.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { replyToNext, startLab } from '../harness/lab.ts'
import { serverAddress } from '../harness/lab-images.ts'

const lab = await startLab({ repository: true })
const client = await lab.computer()
const { addr } = client
const room = Number((await lab.call(`GET /room/info?room=1`)).json?.id ?? 1)
const other = { name: 'Other room', netmask: '255.255.255.0', center: 1 }
const otherRoom = Number((await lab.call('POST /room/add', other)).headers['x-id'])
await lab.create(client, { description: 'Of the administrator', name: 'gold' }, { content: 'gold' })
const { json } = await lab.call('POST /token/add', { name: 'teacher', role: 'operate', rooms: [room] })
const teacher = { Authorization: json.token }
const create = { clients: [addr], disk: '1', partition: '1', code: '131', repository: serverAddress }
const ask = async (route: string, payload: object) => {
  const { status, headers } = await lab.call(route, payload, teacher)
  return `${status} ${headers['x-reason'] ?? ''}`
}
const foreign = '403 name: expected an image of the rooms of the token, got gold'
const stored = async () => JSON.stringify((await lab.call('GET /images')).json.images)

const test = suite('whose an image is')
test.after(() => lab.stop())

test('an operator of a room replaces no image of others: not by its name, its id, a file without a record or a version', async () => {
  const before = await stored()
  for (const query of ['', '?queue=1', '?dry_run=1']) {
    is(await ask(`POST /image/create${query}`, { ...create, name: 'gold', id: '1' }), foreign)
    match(await ask(`POST /image/create${query}`, { ...create, name: 'evil', id: '1' }), /^40[03] /)
    match(await ask(`POST /image/create${query}`, { ...create, name: 'gold.v2', id: '0', description: 'x' }), /^403 /)
  }
  match(await ask('POST /image/create?dry_run=1', { ...create, name: 7 }), /^400 /)
  is((await lab.call('GET /jobs')).json.jobs.filter(({ by }: { by: string }) => by === 'token teacher').length, 0)
  is(await stored(), before)
})

test('neither does it by a procedure of an administrator, nor by a schedule of its own', async () => {
  const steps = [{ command: 'image-create', params: { ...create, clients: undefined, name: 'gold', id: '1' } }]
  const added = await lab.call('POST /procedure/add', { center: '1', name: 'Copy', steps })
  is(added.status, 200, lab.log.at(-1))
  const procedure = String(added.headers['x-id'])
  match(
    await ask('POST /procedure/run', { clients: [addr], procedure }),
    /^403 step image-create: name: expected an image/,
  )
  const { clients, ...params } = create
  const scheduled = { clients, command: 'image-create', params: { ...params, name: 'gold', id: '1' } }
  match(await ask('POST /schedule/command', scheduled), /^403 step image-create: name: expected an image/)
})

test('a new image of its own belongs to the room of the computer, and it may make it again', async () => {
  is((await ask('POST /image/create', { ...create, name: 'mine', id: '0' })).slice(0, 16), '403 description:')
  const asTeacher = { Authorization: json.token }
  await lab.create(client, { description: 'Mine', name: 'mine' }, { content: 'one' }, asTeacher)
  await lab.create(client, { name: 'mine' }, { content: 'two' }, asTeacher)
  is((await lab.image('mine')).version, 2)
  const { json: foreigner } = await lab.call('POST /token/add', { name: 'b', role: 'operate', rooms: [otherRoom] })
  await lab.addComputer('127.0.0.99', { room: otherRoom })
  const payload = { ...create, clients: ['127.0.0.99'], name: 'mine', id: '2' }
  const { status } = await lab.call('POST /image/create', payload, { Authorization: foreigner.token })
  equal(status, 403)
})

test('it makes an image of its own again in the repository of that only', async () => {
  await lab.call('POST /repository/add', { name: 'second', ip: '10.9.9.8' })
  const { repository: _, ...rest } = { ...create, name: 'mine', id: '0' }
  const expected = '403 repository: expected 1, which has image mine, got 2'
  for (const named of [{ repository: '10.9.9.8' }, { repository_id: 2 }]) {
    is(await ask('POST /image/create?queue=1', { ...rest, ...named }), expected)
  }
  await lab.create(client, { name: 'mine' }, { content: 'three' }, teacher)
})

test('a creation that failed keeps its name for its room', async () => {
  await lab.create(client, { description: 'Failed', name: 'failed' }, { status: 500 }, teacher)
  const { json: foreigner } = await lab.call('POST /token/add', { name: 'c', role: 'operate', rooms: [otherRoom] })
  const payload = { ...create, clients: ['127.0.0.99'], name: 'failed', id: '0', description: 'x' }
  is((await lab.call('POST /image/create', payload, { Authorization: foreigner.token })).status, 403)
  await lab.create(client, { description: 'Again', name: 'failed' }, { content: 'four' }, teacher)
})

test('the name of an image without a record is taken while an administrator makes that', async () => {
  const other = await lab.computer()
  const ended = lab.event('command-ended', { addr: other.addr })
  is((await lab.call('POST /image/create', { ...create, clients: [other.addr], name: 'raw', id: '0' })).status, 200)
  await other.agent.next('/image/create')
  const before = await stored()
  const asked = await ask('POST /image/create', { ...create, name: 'raw', id: '0', description: 'x' })
  is(asked, '400 name: image raw exists')
  other.agent.answer(500)
  await ended
  is(await stored(), before)
})

test('a creation that waited until its name was that of another room is not sent', async () => {
  await lab.create(client, { description: 'Mine', name: 'moved' }, { content: 'one' }, teacher)
  const off = '127.0.5.90'
  await lab.addComputer(off)
  const payload = { ...create, clients: [off], name: 'moved', id: '0' }
  const { headers } = await lab.call('POST /image/create?queue=1', payload, teacher)
  const job = Number(headers['x-job-id'])
  await lab.call('POST /image/delete', { image: String((await lab.image('moved')).id) })
  const other = await lab.computer()
  await lab.create(other, { description: 'Of others', name: 'moved' }, { content: 'two' })
  const ended = lab.event('job-finished', { job })
  const agent = await lab.agent(off)
  await replyToNext(agent, '/run/schedule')
  equal((await ended).counts?.skipped, 1)
  const [{ reason }] = (await lab.call(`GET /jobs/${job}`)).json.parts
  is(reason, 'no longer allowed: name: expected an image of the rooms of the token, got moved')
})

test.run()
