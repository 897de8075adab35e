// Name and id of an image in one payload, and the records that failed creations leave.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { serverAddress } from '../harness/lab-images.ts'

const lab = await startLab({ repository: true })
const client = await lab.computer()
const { addr, agent } = client
await lab.create(client, { description: 'One', name: 'gold' }, { content: 'one' })
await lab.create(client, { description: 'Two', name: 'other' }, { content: 'two' })
const place = { disk: '1', partition: '1', repository: serverAddress }
const restore = { clients: [addr], ...place, type: 'UNICAST', profile: '0' }
const create = { clients: [addr], ...place, code: '131' }
const reasonOf = async (route: string, payload: object) => {
  const { status, headers } = await lab.call(route, payload)
  return `${status} ${headers['x-reason']}`
}

const test = suite('name and id of an image')
test.after(() => lab.stop())

test('a restore and a creation whose name and id are those of two images are refused', async () => {
  const name = '400 name: expected other, which is the name of image 2, got evil'
  for (const [route, payload] of [
    ['POST /image/restore', restore],
    ['POST /image/create', create],
  ] as const) {
    is(await reasonOf(route, { ...payload, name: 'gold', id: '2' }), name.replace('evil', 'gold'))
    is(await reasonOf(route, { ...payload, name: 'evil', id: '2' }), name)
  }
  is(await reasonOf('POST /image/restore', { ...restore, name: 'gold.v1', id: '2' }), name.replace('evil', 'gold.v1'))
  is(await reasonOf('POST /image/restore', { ...restore, name: 'gone.v1', id: '2' }), name.replace('evil', 'gone.v1'))
})

test('an id without a record is sent as it is, and the record is that of the name', async () => {
  for (const id of ['0', '77', '02']) {
    const ended = lab.event('command-ended', { addr })
    await lab.call('POST /image/restore', { ...restore, name: 'other', id })
    equal(
      Object.entries((await agent.next('/image/restore')).body ?? {}).find(([key]) => key === 'id'),
      ['id', id],
    )
    agent.reply({ status: 200, body: { disk: '1', partition: '1', image_id: id } })
    is((await ended).result, 'success')
    is((await lab.partitionsOf(addr))[1].image, 2)
  }
  await lab.create(client, { name: 'other', id: '0' }, { content: 'three' })
  equal((await lab.image('other')).version, 2)
})

test('an image without a record is restored by the name and id that the caller sends', async () => {
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /image/restore', { ...restore, repository: '10.1.1.1', name: 'foreign', id: '77' })
  const { body } = await agent.next('/image/restore')
  equal(body, {
    disk: '1',
    partition: '1',
    name: 'foreign',
    repository: '10.1.1.1',
    type: 'UNICAST',
    profile: '0',
    id: '77',
  })
  agent.reply({ status: 200, body: { disk: '1', partition: '1', image_id: '77' } })
  await ended
})

test('the record of a creation that failed is listed as one without a file, and taken over by the next creation', async () => {
  const created = await lab.create(client, { name: 'late', description: 'Late' }, { status: 500 })
  is(created.result, 'failure')
  const { json } = await lab.call('GET /images?without_file=1')
  equal([json.images.length, json.without_file], [2, [{ id: 3, name: 'late' }]])
  equal('without_file' in (await lab.call('GET /images')).json, false)
  await lab.create(client, { name: 'late', description: 'Late' }, { content: 'late' })
  equal((await lab.image('late')).id, 3)
})

test.run()
