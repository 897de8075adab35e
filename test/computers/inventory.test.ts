// Inventory: what refresh, setup, hardware, software and image answers store, and how it is read.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { Agent } from '../harness/simulated-agent.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()
let last = 0

const disk = { disk: '1', partition: '0', code: '2', filesystem: '', os: '', size: '500000000', used_size: '0' }
const root = {
  disk: '1',
  partition: '1',
  code: '83',
  filesystem: 'EXT4',
  os: 'Debian 12',
  size: '9000',
  used_size: '12.3',
}
const swap = { disk: '1', partition: '2', code: '82', filesystem: 'LINUX-SWAP', os: '', size: '1000', used_size: '0' }
const layout = { disk_setup: [disk], partition_setup: [root, swap], serial_number: 'S1', link: 1000 }

async function computer(body: object | undefined = layout) {
  last += 1
  const addr = `127.0.5.${last}`
  await lab.addComputer(addr)
  const agent = await lab.agent(addr, { refresh: { status: 200, body } })
  return { addr, agent }
}

/** Sends a command, answers it, waits until the answer is stored. */
async function command(addr: string, agent: Agent, route: string, payload: object, body: object) {
  const ended = lab.event('command-ended', { addr })
  const { status } = await lab.call(route, { clients: [addr], ...payload })
  is(status, 200)
  const request = await agent.next()
  agent.answer(200, body)
  equal((await ended).result, 'success')
  return request
}

const read = async (route: string, addr: string, more = {}) => (await lab.call(route, { client: [addr], ...more })).json
const partitionsOf = async (addr: string) => (await read('GET /client/setup', addr)).partitions

const refresh = suite('refresh')

refresh('the answer to the first refresh is stored, the disk row first, all integers', async () => {
  const { addr } = await computer()
  const partitions = await partitionsOf(addr)
  equal(partitions[0], {
    ...{ disk: 1, partition: 0, code: 2, size: 500000000, used_size: 0 },
    ...{ filesystem: 0, os: 0, image: 0, software: 0 },
  })
  const { os, ...rest } = partitions[1]
  is(Number.isInteger(os) && os > 0, true)
  equal(rest, { disk: 1, partition: 1, code: 0x83, size: 9000, used_size: 12, filesystem: 6, image: 0, software: 0 })
  equal([partitions[2].filesystem, partitions[2].os], [19, 0])
  equal(await read('GET /session', addr), { sessions: [{ disk: 1, partition: 1, name: 'Debian 12' }] })
})

refresh('speed is the link, the serial number is stored only while none is known', async () => {
  const { addr, agent } = await computer()
  const { json } = await lab.call('GET /clients')
  is(json.clients.find((client: { addr: string }) => client.addr === addr).speed, 1000)
  await command(addr, agent, 'POST /refresh', {}, { ...layout, serial_number: 'S2' })
  is((await read('GET /client/info', addr)).serial_number, 'S1')
})

refresh('rows absent from the answer are deleted', async () => {
  const { addr, agent } = await computer()
  await command(addr, agent, 'POST /refresh', {}, { ...layout, partition_setup: [swap] })
  equal(
    (await partitionsOf(addr)).map((row: { partition: number }) => row.partition),
    [0, 2],
  )
})

refresh('a partition keeps image and software while size, filesystem and os are unchanged', async () => {
  const { addr, agent } = await computer()
  await command(
    addr,
    agent,
    'POST /software',
    { disk: '1', partition: '1' },
    { partition: '1', software: 'Debian 12\nvim' },
  )
  const { software } = (await partitionsOf(addr))[1]
  is(software > 0, true)
  const same = { ...root, code: '7', used_size: '80' }
  await command(addr, agent, 'POST /refresh', {}, { ...layout, partition_setup: [same, swap] })
  const kept = (await partitionsOf(addr))[1]
  equal([kept.software, kept.code, kept.used_size], [software, 7, 80])
  await command(addr, agent, 'POST /refresh', {}, { ...layout, partition_setup: [{ ...root, size: '9001' }, swap] })
  is((await partitionsOf(addr))[1].software, 0)
})

refresh('a filesystem that is not listed gets the next free id, for good', async () => {
  const { addr, agent } = await computer()
  const other = { ...swap, filesystem: 'ZFS' }
  await command(addr, agent, 'POST /refresh', {}, { ...layout, partition_setup: [root, other] })
  is((await partitionsOf(addr))[2].filesystem, 22)
  const third = { ...swap, partition: '3', filesystem: 'MINIX' }
  await command(addr, agent, 'POST /refresh', {}, { ...layout, partition_setup: [third, other] })
  equal(
    (await partitionsOf(addr)).map((row: { filesystem: number }) => row.filesystem),
    [0, 22, 23],
  )
})

refresh('an answer with only a status sets it and stores nothing', async () => {
  const { addr, agent } = await computer()
  await command(addr, agent, 'POST /refresh', {}, { status: 'LINUX' })
  is((await partitionsOf(addr)).length, 3)
  const { json } = await lab.call('GET /clients')
  is(json.clients.find((client: { addr: string }) => client.addr === addr).status, 'linux')
})

refresh('an answer from an address without a computer record is a success that stores nothing', async () => {
  await lab.agent('127.0.5.200', { refresh: { status: 200, body: layout } })
  await lab.logged(/127\.0\.5\.200: refresh: no computer record, nothing stored/)
  equal(await partitionsOf('127.0.5.200'), [])
})

for (const [name, broken] of [
  ['a row without a size', { partition_setup: [{ ...root, size: undefined }] }],
  ['a partition that no disk has', { partition_setup: [{ ...root, partition: '9'.repeat(400) }] }],
  ['a disk that is no number', { partition_setup: [{ ...root, disk: 'sda' }] }],
  ['no list at all', { partition_setup: {} }],
  ['nothing that it should say', {}],
] as const) {
  refresh(`${name} is a failure and stores nothing`, async () => {
    const { addr, agent } = await computer()
    const ended = lab.event('command-ended', { addr })
    await lab.call('POST /refresh', { clients: [addr] })
    await agent.next('/refresh')
    agent.answer(200, broken)
    match(String((await ended).reason), /answer not understood/)
    is((await partitionsOf(addr)).length, 3)
  })
}

refresh('numbers that no disk can have are stored as integers all the same', async () => {
  const { addr } = await computer({
    ...layout,
    partition_setup: [{ ...root, size: '1e999', used_size: '-3', code: 'zz' }],
  })
  const { size, used_size, code } = (await partitionsOf(addr))[1]
  equal([size, used_size, code], [0, 0, 0])
})

refresh('setup answers and stores as refresh does', async () => {
  const { addr, agent } = await computer()
  const slots = [1, 2, 3, 4].map(partition => ({
    partition,
    code: 'LINUX',
    filesystem: 'EXT4',
    size: '100',
    format: '1',
  }))
  const payload = { type: 'GPT', disk: '1', cache: '0', cache_size: '0', partition_setup: slots }
  const request = await command(addr, agent, 'POST /setup', payload, { ...layout, partition_setup: [swap] })
  equal(request.body, payload)
  is((await partitionsOf(addr)).length, 2)
})

refresh('setup needs four partition entries, those after the sixteenth are neither checked nor cut', async () => {
  const { addr, agent } = await computer()
  const slot = { partition: '1', code: 'LINUX', filesystem: 'EXT4', size: '100', format: '1' }
  const setup = (slots: unknown[]) =>
    lab.call('POST /setup', {
      clients: [addr],
      ...{ type: 'GPT', disk: '1', cache: '0', cache_size: '0', partition_setup: slots },
    })
  is((await setup(Array(3).fill(slot))).status, 400)
  is((await setup([...Array(15).fill(slot), {}])).status, 400)
  is((await setup([...Array(16).fill(slot), {}, 'more'])).status, 200)
  const { body } = await agent.next('/setup')
  match(JSON.stringify(body), /,\{\},"more"\]/)
})

refresh.run()

const lists = suite('hardware and software')

lists('hardware lines are stored by their type, unknown ones under their own name', async () => {
  const { addr, agent } = await computer()
  const hardware = 'cpu=Some processor = 8 cores\nno equals sign\nmem=16 GiB ñ\nxyz=Thing\n__proto__=odd\n'
  await command(addr, agent, 'POST /hardware', {}, { hardware })
  equal(await read('GET /hardware', addr), {
    hardware: [
      { type: 'processor', description: 'Some processor = 8 cores' },
      { type: 'memory', description: '16 GiB ñ' },
      { type: 'xyz', description: 'Thing' },
      { type: '__proto__', description: 'odd' },
    ],
  })
  is((await read('GET /client/info', addr)).hardware_id > 0, true)
})

lists('software of a partition is the list without its first line, in its order', async () => {
  const { addr, agent } = await computer()
  const software = 'Debian 12\nzsh\nvim 9\nzsh'
  const payload = { disk: '1', partition: '1' }
  const request = await command(addr, agent, 'POST /software', payload, { partition: '1', software })
  equal([request.method, request.path, request.body], ['GET', '/software', payload])
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: ['zsh', 'vim 9', 'zsh'] })
  equal(await read('GET /software', addr, { disk: 1, partition: 2 }), { software: [] })
})

lists('results of an unknown computer are empty lists', async () => {
  equal(await read('GET /hardware', '10.8.8.8'), { hardware: [] })
  equal(await read('GET /session', '10.8.8.8'), { sessions: [] })
  equal(await read('GET /software', '10.8.8.8', { disk: 1, partition: 1 }), { software: [] })
  equal(await read('GET /client/setup', '10.8.8.8'), { partitions: [] })
})

lists('GET /session takes the first address, any other key is a failure', async () => {
  const { addr } = await computer()
  equal((await lab.call('GET /session', { client: [addr, '10.8.8.8'] })).json.sessions.length, 1)
  is((await lab.call('GET /session', { client: [addr], disk: 1 })).status, 400)
})

lists.run()

const images = suite('images')

const create = { disk: '1', partition: '1', name: 'debian', repository: '10.1.1.1', id: '0', code: '131' }
const made = {
  ...{ software: 'Debian 12\nvim', partition: '1', disk: '1', code: '131', name: 'debian', repository: '10.1.1.1' },
  ...{ clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', datasize: 4096 },
}
const imageFile = (name: string) => writeFileSync(join(lab.folder, 'images', `${name}.img`), 'image')

images('create with a description stores the image and forwards the new identifier', async () => {
  const { addr, agent } = await computer()
  const payload = { ...create, description: 'A first image' }
  const ended = lab.event('command-ended', { addr })
  is((await lab.call('POST /image/create', { clients: [addr], ...payload })).status, 200)
  const { body } = await agent.next('/image/create')
  equal(body, { ...payload, id: '1' })
  agent.answer(200, { ...made, id: '1' })
  is((await ended).result, 'success')
  imageFile('debian')
  const { json } = await lab.call('GET /images')
  const { modified, ...image } = json.images[0]
  match(modified, /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/)
  const { software } = (await partitionsOf(addr))[1]
  equal(image, {
    ...{ name: 'debian', datasize: 4096, size: 5, permissions: '644', software_id: software },
    ...{ type: 1, id: 1, repo_id: 1 },
  })
  is((await partitionsOf(addr))[1].image, 1)
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: ['vim'] })
})

images('create with a description under a name that is stored is a failure, nothing is forwarded', async () => {
  const { addr, agent } = await computer()
  is((await lab.call('POST /image/create', { clients: [addr], ...create, description: 'again' })).status, 400)
  await command(addr, agent, 'POST /hardware', {}, { hardware: '' })
})

images('a stored name without a file and without a running create is taken over with its id', async () => {
  const { addr, agent } = await computer()
  const payload = { ...create, name: 'second', description: 'A second image' }
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /image/create', { clients: [addr], ...payload })
  const { body } = await agent.next('/image/create')
  // While it runs nobody else can have the name.
  const other = await computer()
  is((await lab.call('POST /image/create', { clients: [other.addr], ...payload })).status, 400)
  agent.answer(500)
  await ended
  await lab.call('POST /image/create', { clients: [addr], ...payload })
  equal((await agent.next('/image/create')).body, body)
})

images('create without a description forwards the identifier as it is', async () => {
  const { addr, agent } = await computer()
  await lab.call('POST /image/create', { clients: [addr], ...create, id: '77' })
  equal((await agent.next('/image/create')).body, { ...create, id: '77' })
})

images('create takes repository_id, an integer or digits, and forwards the address', async () => {
  await lab.call('POST /repository/add', { name: 'other', ip: '10.1.1.77' })
  const { repository, ...rest } = create
  for (const repository_id of [2, '2']) {
    const { addr, agent } = await computer()
    is((await lab.call('POST /image/create', { clients: [addr], ...rest, repository_id })).status, 200)
    equal((await agent.next('/image/create')).body, { ...rest, repository: '10.1.1.77' })
  }
  const { addr } = await computer()
  for (const repository_id of [99, '99', 'x', 1.5, undefined]) {
    is((await lab.call('POST /image/create', { clients: [addr], ...rest, repository_id })).status, 400)
  }
})

images('image names are file names: no path separator, no NUL, not . or ..', async () => {
  const { addr } = await computer()
  const restore = { disk: '1', partition: '1', repository: '10.1.1.1', type: 'UNICAST', profile: '1', id: '1' }
  for (const name of ['../x', 'a/b', 'a\\b', 'a\0b', '.', '..', '', 'x'.repeat(252)]) {
    is((await lab.call('POST /image/create', { clients: [addr], ...create, name, description: 'd' })).status, 400, name)
    is((await lab.call('POST /image/restore', { clients: [addr], ...restore, name })).status, 400, name)
  }
  is((await lab.call('GET /images')).json.images.length, 1)
})

images('restore gives the partition the image, its software and its operating system', async () => {
  const { addr, agent } = await computer({ ...layout, partition_setup: [{ ...root, os: '' }] })
  const restore = { disk: '1', partition: '1', name: 'debian', repository: '10.1.1.1', type: 'UNICAST' }
  const payload = { ...restore, profile: '1', id: '1' }
  await command(addr, agent, 'POST /image/restore', payload, { disk: '1', partition: '1', image_id: '1' })
  is((await partitionsOf(addr))[1].image, 1)
  equal(await read('GET /session', addr), { sessions: [{ disk: 1, partition: 1, name: 'Debian 12' }] })
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: ['vim'] })
})

images('client/setup never names an image that GET /images does not list', async () => {
  const { addr, agent } = await computer()
  const payload = { ...create, name: 'nofile', description: 'Its file is elsewhere' }
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /image/create', { clients: [addr], ...payload })
  const { body } = await agent.next('/image/create')
  agent.answer(200, { ...made, name: 'nofile', id: Object(body).id })
  await ended
  is((await partitionsOf(addr))[1].image, 0)
  imageFile('nofile')
  is((await partitionsOf(addr))[1].image, Number(Object(body).id))
})

images.after(() => lab.stop())
images.run()
