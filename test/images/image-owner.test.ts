// Images belong to rooms: a caller with rights for some rooms writes only those of its rooms, on every way.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { serverAddress, startImageLab } from '../harness/image-lab.ts'

const lab = await startImageLab()
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
  for (const query of ['', '?queue=1']) {
    is(await ask(`POST /image/create${query}`, { ...create, name: 'gold', id: '1' }), foreign)
    match(await ask(`POST /image/create${query}`, { ...create, name: 'evil', id: '1' }), /^40[03] /)
    match(await ask(`POST /image/create${query}`, { ...create, name: 'gold.v2', id: '0', description: 'x' }), /^403 /)
  }
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

test.run()
