// Inventory: what the replies to refresh, setup, hardware and software store, and how it is read.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { layout, root, swap } from '../harness/lab-images.ts'

const testHost = await startLab()
const { computer, command, read, partitionsOf } = testHost

const refresh = suite('refresh')

refresh('the reply to the first refresh is stored, the disk row first, with integers only', async () => {
  const { addr } = await computer()
  const partitions = await partitionsOf(addr)
  equal(partitions[0], {
    disk: 1,
    partition: 0,
    code: 2,
    size: 500000000,
    used_size: 0,
    filesystem: 0,
    os: 0,
    image: 0,
    software: 0,
  })
  const { os, ...rest } = partitions[1]
  is(Number.isInteger(os) && os > 0, true)
  equal(rest, { disk: 1, partition: 1, code: 0x83, size: 9000, used_size: 12, filesystem: 6, image: 0, software: 0 })
  equal([partitions[2].filesystem, partitions[2].os], [19, 0])
  equal(await read('GET /session', addr), { sessions: [{ disk: 1, partition: 1, name: 'Debian 12' }] })
})

refresh('speed is the link, and the serial number is stored only while the record has none', async () => {
  const { addr, agent } = await computer()
  const { json } = await testHost.call('GET /clients')
  is(json.clients.find((client: { addr: string }) => client.addr === addr).speed, 1000)
  await command(addr, agent, 'POST /refresh', {}, { ...layout, serial_number: 'S2' })
  is((await read('GET /client/info', addr)).serial_number, 'S1')
})

refresh('rows absent from the reply are deleted', async () => {
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
  const partition = (await partitionsOf(addr))[1]
  equal([partition.software, partition.code, partition.used_size], [software, 7, 80])
  await command(addr, agent, 'POST /refresh', {}, { ...layout, partition_setup: [{ ...root, size: '9001' }, swap] })
  is((await partitionsOf(addr))[1].software, 0)
})

refresh('an unknown filesystem gets the next free id and keeps it', async () => {
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

refresh('a reply with only a status sets the status and stores nothing', async () => {
  const { addr, agent } = await computer()
  await command(addr, agent, 'POST /refresh', {}, { status: 'LINUX' })
  is((await partitionsOf(addr)).length, 3)
  const { json } = await testHost.call('GET /clients')
  is(json.clients.find((client: { addr: string }) => client.addr === addr).status, 'linux')
})

refresh('a reply from an address without a computer record is a success that stores nothing', async () => {
  await testHost.agent('127.0.5.200', { refresh: { status: 200, body: layout } })
  await testHost.logged(/127\.0\.5\.200: refresh: reply not stored, no computer record/)
  equal(await partitionsOf('127.0.5.200'), [])
})

for (const [name, broken] of [
  ['a row without a size', { partition_setup: [{ ...root, size: undefined }] }],
  ['a partition number that no disk has', { partition_setup: [{ ...root, partition: '9'.repeat(400) }] }],
  ['a disk that is not a number', { partition_setup: [{ ...root, disk: 'sda' }] }],
  ['an object in place of the list', { partition_setup: {} }],
  ['an empty object', {}],
] as const) {
  refresh(`${name} is a failure and stores nothing`, async () => {
    const { addr, agent } = await computer()
    const ended = testHost.event('command-ended', { addr })
    await testHost.call('POST /refresh', { clients: [addr] })
    await agent.next('/refresh')
    agent.answer(200, broken)
    match(String((await ended).reason), /reply not understood/)
    is((await partitionsOf(addr)).length, 3)
  })
}

refresh('numbers that no disk can have are stored as 0', async () => {
  const { addr } = await computer({
    ...layout,
    partition_setup: [{ ...root, size: '1e999', used_size: '-3', code: 'zz' }],
  })
  const { size, used_size, code } = (await partitionsOf(addr))[1]
  equal([size, used_size, code], [0, 0, 0])
})

refresh('the reply to setup is stored as that to refresh', async () => {
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

refresh('setup needs four partition entries, and those after the sixteenth are sent unchecked', async () => {
  const { addr, agent } = await computer()
  const slot = { partition: '1', code: 'LINUX', filesystem: 'EXT4', size: '100', format: '1' }
  const setup = (slots: unknown[]) =>
    testHost.call('POST /setup', {
      clients: [addr],
      type: 'GPT',
      disk: '1',
      cache: '0',
      cache_size: '0',
      partition_setup: slots,
    })
  is((await setup(Array(3).fill(slot))).status, 400)
  is((await setup([...Array(15).fill(slot), {}])).status, 400)
  is((await setup([...Array(16).fill(slot), {}, 'more'])).status, 200)
  const { body } = await agent.next('/setup')
  match(JSON.stringify(body), /,\{\},"more"\]/)
})

refresh.run()

const lists = suite('hardware and software')

lists('hardware lines are stored with their type, unknown ones with their own name', async () => {
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

lists('GET /session takes the first address and refuses other keys', async () => {
  const { addr } = await computer()
  equal((await testHost.call('GET /session', { client: [addr, '10.8.8.8'] })).json.sessions.length, 1)
  is((await testHost.call('GET /session', { client: [addr], disk: 1 })).status, 400)
})

lists.after(() => testHost.stop())
lists.run()
