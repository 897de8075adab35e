// Replies that do not belong to what the agent was sent: nothing is stored, and the command fails on that client.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { disk, layout, root, swap } from '../harness/lab-images.ts'

const testHost = await startLab({ options: { deadlines: { hardware: 0.05 } } })
const { computer, command, read, partitionsOf } = testHost

const create = { disk: '1', partition: '1', name: 'first', repository: '10.1.1.1', id: '0', code: '131' }
const created = {
  software: 'Debian 12\nvim',
  partition: '1',
  disk: '1',
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  datasize: 4096,
}
const restore = {
  disk: '1',
  partition: '1',
  name: 'first',
  repository: '10.1.1.1',
  type: 'UNICAST',
  profile: '1',
  id: '1',
}
const slot = (partition: number) => ({ partition, code: 'LINUX', filesystem: 'EXT4', size: 1, format: 1 })
const setup = {
  type: 'MSDOS',
  disk: '2',
  cache: '0',
  cache_size: '0',
  partition_setup: [1, 2, 3, 4].map(slot),
}

const writeImageFile = (name: string) => writeFileSync(join(testHost.folder, 'images', `${name}.img`), '')
const storedImages = async () =>
  (await testHost.call('GET /images')).json.images.map(({ id, datasize }: { id: number; datasize: number }) => [
    id,
    datasize,
  ])

const test = suite('replies that do not belong to the command')

test('an agent that was sent image 2 and replies with id 1 does not change the record of image 1', async () => {
  const { addr, agent } = await computer()
  await command(addr, agent, 'POST /image/create', { ...create, description: 'One' }, { ...created, id: '1' })
  writeImageFile('first')
  writeImageFile('second')
  const ended = testHost.event('command-ended', { addr })
  await testHost.call('POST /image/create', { clients: [addr], ...create, name: 'second', description: 'Two' })
  // The payload of image/create with the new id.
  const { id } = (await agent.next('/image/create')).body as { id: string }
  agent.answer(200, { ...created, id: '1', datasize: 666 })
  const { result, reason } = await ended
  equal([id, result, reason], ['2', 'failure', 'reply not understood: id: expected 2, got 1'])
  equal(await storedImages(), [
    [1, 4096],
    [2, 0],
  ])
  equal(testHost.log.filter(line => line.includes('id: expected 2, got 1')).length, 1)
  match(await testHost.logged(/id: expected 2, got 1/), /image-create failed: reply not understood/)
})

const wrongReplies: [route: string, payload: object, reply: object, reason: string][] = [
  ['POST /image/create', create, { ...created, id: '1' }, 'id: expected 0, got 1'],
  ['POST /image/create', create, { ...created, id: '0', disk: '2' }, 'disk: expected 1, got 2'],
  ['POST /image/create', create, { ...created, id: '0', partition: '2' }, 'partition: expected 1, got 2'],
  ['POST /image/restore', restore, { disk: '1', partition: '1', image_id: '2' }, 'image_id: expected 1, got 2'],
  ['POST /image/restore', restore, { disk: '2', partition: '1', image_id: '1' }, 'disk: expected 1, got 2'],
  ['POST /image/restore', restore, { disk: '1', partition: '2', image_id: '1' }, 'partition: expected 1, got 2'],
  [
    'POST /software',
    { disk: '1', partition: '1' },
    { software: 'x\ny', partition: '2' },
    'partition: expected 1, got 2',
  ],
  ['POST /setup', setup, { ...layout, partition_setup: [swap] }, 'disk: expected rows of disk 2, got none'],
]

for (const [route, payload, reply, reason] of wrongReplies) {
  test(`${route}: the reply is a failure (${reason}), and nothing is stored`, async () => {
    const { addr, agent } = await computer()
    const before = await partitionsOf(addr)
    const ended = testHost.event('command-ended', { addr })
    await testHost.call(route, { clients: [addr], ...payload })
    await agent.next()
    agent.answer(200, reply)
    equal((await ended).reason, `reply not understood: ${reason}`)
    equal(await partitionsOf(addr), before)
    equal(await read('GET /software', addr, { disk: 1, partition: 2 }), { software: [] })
  })
}

test('a reply with leading zeros has the numbers that were sent', async () => {
  const { addr, agent } = await computer()
  await command(addr, agent, 'POST /software', { disk: '1', partition: '01' }, { software: 'x\ny', partition: '1' })
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: ['y'] })
})

test('setup stores a reply with the rows of all disks, and a reply without rows', async () => {
  const { addr, agent } = await computer()
  const rows = { disk_setup: [disk, { ...disk, disk: '2' }], partition_setup: [root, { ...swap, disk: '2' }] }
  await command(addr, agent, 'POST /setup', setup, rows)
  is((await partitionsOf(addr)).length, 4)
  await command(addr, agent, 'POST /setup', setup, { status: 'LINUX' })
  is((await partitionsOf(addr)).length, 4)
})

test('the late reply to an overdue command is ignored when it does not belong to the next command', async () => {
  const { addr, agent } = await computer()
  const overdue = testHost.event('command-ended', { addr, command: 'hardware' })
  await testHost.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
  is((await overdue).reason, 'no answer in time')
  agent.clearMissingReplies()
  const ended = testHost.event('command-ended', { addr, command: 'software' })
  await testHost.call('POST /software', { clients: [addr], disk: '1', partition: '2' })
  await agent.next('/software')
  // Matches the schema of software.
  agent.answer(200, { hardware: '', software: 'late\none', partition: '1' })
  agent.answer(200, { software: 'right\none', partition: '2' })
  is((await ended).result, 'success')
  equal(await read('GET /software', addr, { disk: 1, partition: 1 }), { software: [] })
  equal(await read('GET /software', addr, { disk: 1, partition: 2 }), { software: ['one'] })
})

test.after(() => testHost.stop())
test.run()
