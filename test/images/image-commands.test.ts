// image/create and image/restore: what they store, and what they send to agents.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { layout, root } from '../harness/lab-images.ts'

const testHost = await startLab()
const { computer, command, read, partitionsOf } = testHost

const images = suite('image commands')

const create = { disk: '1', partition: '1', name: 'debian', repository: '10.1.1.1', id: '0', code: '131' }
const createReply = {
  software: 'Debian 12\nvim',
  partition: '1',
  disk: '1',
  code: '131',
  name: 'debian',
  repository: '10.1.1.1',
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  datasize: 4096,
}
const writeImageFile = (name: string) => writeFileSync(join(testHost.folder, 'images', `${name}.img`), 'image')

images('create with a description stores the image and sends the new id to the agent', async () => {
  const { addr, agent } = await computer()
  const payload = { ...create, description: 'A first image' }
  const ended = testHost.event('command-ended', { addr })
  is((await testHost.call('POST /image/create', { clients: [addr], ...payload })).status, 200)
  const { body } = await agent.next('/image/create')
  equal(body, { ...payload, id: '1' })
  agent.answer(200, { ...createReply, id: '1' })
  is((await ended).result, 'success')
  is((await partitionsOf(addr))[1].image, 0)
  writeImageFile('debian')
  const { json } = await testHost.call('GET /images')
  const { modified, ...image } = json.images[0]
  match(modified, /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/)
  const { software } = (await partitionsOf(addr))[1]
  equal(image, {
    name: 'debian',
    datasize: 4096,
    size: 5,
    permissions: '644',
    software_id: software,
    type: 1,
    id: 1,
    repo_id: 1,
    center_id: 0,
    system: 'Debian 12',
    computers: 1,
    check: { state: 'not checked' },
    version: 1,
    versions: [],
    disk: 1,
    partition: 1,
  })
  is((await partitionsOf(addr))[1].image, 1)
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: ['vim'] })
})

images('create with a description and a stored name is refused, and nothing is sent', async () => {
  const { addr, agent } = await computer()
  is((await testHost.call('POST /image/create', { clients: [addr], ...create, description: 'again' })).status, 400)
  await command(addr, agent, 'POST /hardware', {}, { hardware: '' })
})

images('one image is not created by several clients at once: 400, and nothing is sent', async () => {
  const [first, second] = [await computer(), await computer()]
  const clients = [first.addr, second.addr, '10.9.9.8']
  const send = (query: string, addrs: string[]) =>
    testHost.call(`POST /image/create${query}`, { clients: addrs, ...create, name: 'third', description: '' })
  const { status, headers } = await send('', clients)
  equal([status, headers['x-reason']], [400, 'clients: expected one client for image third, got 2'])
  is((await send('?queue=1', clients)).headers['x-reason'], 'clients: expected one client for image third, got 3')
  // The specification skips unknown and busy clients without an error.
  const ended = testHost.event('command-ended', { addr: second.addr, command: 'image-create' })
  await testHost.call('POST /shell/run', { clients: [first.addr], run: 'sleep 1000', echo: false })
  await first.agent.next('/shell/run')
  is((await send('', clients)).status, 200)
  await second.agent.next('/image/create')
  second.agent.answer(500)
  await ended
  first.agent.answer(200)
})

images('a stored name without a file and without a running create is used again with its id', async () => {
  const { addr, agent } = await computer()
  const payload = { ...create, name: 'second', description: 'A second image' }
  const ended = testHost.event('command-ended', { addr })
  await testHost.call('POST /image/create', { clients: [addr], ...payload })
  const { body } = await agent.next('/image/create')
  // While the create runs, its name is taken.
  const other = await computer()
  is((await testHost.call('POST /image/create', { clients: [other.addr], ...payload })).status, 400)
  agent.answer(500)
  await ended
  await testHost.call('POST /image/create', { clients: [addr], ...payload })
  equal((await agent.next('/image/create')).body, body)
})

images('create without a description sends the id unchanged', async () => {
  const { addr, agent } = await computer()
  await testHost.call('POST /image/create', { clients: [addr], ...create, id: '77' })
  equal((await agent.next('/image/create')).body, { ...create, id: '77' })
})

images('create accepts repository_id as an integer or digits, and sends the address', async () => {
  await testHost.call('POST /repository/add', { name: 'other', ip: '10.1.1.77' })
  const { repository, ...rest } = create
  for (const repository_id of [2, '2']) {
    const { addr, agent } = await computer()
    is((await testHost.call('POST /image/create', { clients: [addr], ...rest, repository_id })).status, 200)
    equal((await agent.next('/image/create')).body, { ...rest, repository: '10.1.1.77' })
  }
  const { addr: client, agent } = await computer()
  const payload = { ...rest, name: 'elsewhere', description: 'x', repository_id: 2 }
  is((await testHost.call('POST /image/create', { clients: [client], ...payload })).status, 200)
  await agent.next('/image/create')
  writeImageFile('elsewhere')
  const { images: listed } = (await testHost.call('GET /images')).json
  const { id, repo_id } = listed.find(({ name }: { name: string }) => name === 'elsewhere')
  is(repo_id, 2)
  is((await testHost.call('POST /image/delete', { image: String(id) })).status, 200)
  const { addr } = await computer()
  for (const repository_id of [99, '99', 'x', 1.5, undefined]) {
    is((await testHost.call('POST /image/create', { clients: [addr], ...rest, repository_id })).status, 400)
  }
})

images('image names are file names: no path separator, no NUL, not . or ..', async () => {
  const { addr } = await computer()
  const restore = { disk: '1', partition: '1', repository: '10.1.1.1', type: 'UNICAST', profile: '1', id: '1' }
  for (const name of ['../x', 'a/b', 'a\\b', 'a\0b', '.', '..', '', 'x'.repeat(252)]) {
    is(
      (await testHost.call('POST /image/create', { clients: [addr], ...create, name, description: 'd' })).status,
      400,
      name,
    )
    is((await testHost.call('POST /image/restore', { clients: [addr], ...restore, name })).status, 400, name)
  }
  is((await testHost.call('GET /images')).json.images.length, 1)
})

images('restore stores the image, its software and its operating system for the partition', async () => {
  const { addr, agent } = await computer({ ...layout, partition_setup: [{ ...root, os: '' }] })
  const restore = { disk: '1', partition: '1', name: 'debian', repository: '10.1.1.1', type: 'UNICAST' }
  const payload = { ...restore, profile: '1', id: '1' }
  await command(addr, agent, 'POST /image/restore', payload, { disk: '1', partition: '1', image_id: '1' })
  is((await partitionsOf(addr))[1].image, 1)
  equal(await read('GET /session', addr), { sessions: [{ disk: 1, partition: 1, name: 'Debian 12' }] })
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: ['vim'] })
})

images('client/setup has no image id that GET /images does not list', async () => {
  const { addr, agent } = await computer()
  const payload = { ...create, name: 'nofile', description: 'Its file is elsewhere' }
  const ended = testHost.event('command-ended', { addr })
  await testHost.call('POST /image/create', { clients: [addr], ...payload })
  const { body } = await agent.next('/image/create')
  // The payload of image/create with the new id.
  const { id } = body as { id: string }
  agent.answer(200, { ...createReply, name: 'nofile', id })
  await ended
  is((await partitionsOf(addr))[1].image, 0)
  writeImageFile('nofile')
  is((await partitionsOf(addr))[1].image, Number(id))
})

images.after(() => testHost.stop())
images.run()
