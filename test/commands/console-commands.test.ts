// Commands that consoles use: image/delete, the list of live systems, and the server's statistics.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, ok as isTrue, match } from 'uvu/assert'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost({ options: { boot: { oglives: './live-systems.json' } } })
const withoutFile = await startTestHost()
const statusOf = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).status
const ok = async (route: string, payload: unknown) => is(await statusOf(route, payload), 200, testHost.log.at(-1))
const read = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).json

const ip = '127.0.0.2'
const images = suite('image/delete')

const fileOf = (name: string) => join(testHost.folder, 'images', `${name}.img`)
const create = { clients: [ip], disk: '1', code: '83', repository: '10.9.9.9', id: '0', description: 'x' }
const rowsOf = async () => (await read('GET /client/setup', { client: [ip] })).partitions
const imagesOf = async () =>
  (await rowsOf()).map(({ partition, image }: { partition: number; image: number }) => [partition, image])

const partitionEntry = (partition: string, size: string) => ({
  disk: '1',
  partition,
  code: '83',
  filesystem: 'EXT4',
  os: 'Ubuntu',
  size,
  used_size: '10',
})
const disks = {
  disk_setup: [{ ...partitionEntry('0', '900'), code: '1', filesystem: '', os: '' }],
  partition_setup: [partitionEntry('1', '300'), partitionEntry('2', '300'), partitionEntry('3', '300')],
}
const createReply = {
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  datasize: 7,
  software: 'Ubuntu\nvim 9',
}

images('image/delete removes record, file and the image id of partitions', async () => {
  await testHost.addComputer(ip)
  const refreshed = testHost.event('command-ended', { addr: ip, command: 'refresh' })
  const agent = await testHost.agent(ip, {
    auto: {
      '/refresh': { status: 200, body: disks },
      '/image/create': ({ body }) => {
        // The payload of image/create: all its values are texts.
        const { id, name, partition, disk, code, repository } = body as Record<string, string>
        return { status: 200, body: { ...createReply, id, name, partition, disk, code, repository } }
      },
    },
  })
  await refreshed
  for (const [name, partition] of [
    ['one', '1'],
    ['two', '2'],
  ]) {
    const ended = testHost.event('command-ended', { addr: ip, command: 'image-create' })
    await ok('POST /image/create', { ...create, name, partition })
    is((await ended).result, 'success')
    writeFileSync(fileOf(name ?? ''), 'twelve bytes')
  }
  equal(await imagesOf(), [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 0],
  ])
  await ok('POST /image/delete', { image: '1' })
  equal(
    readdirSync(join(testHost.folder, 'images')).filter(name => name.endsWith('.img')),
    ['two.img'],
  )
  equal(
    (await read('GET /images')).images.map(({ id }: { id: number }) => id),
    [2],
  )
  equal(await imagesOf(), [
    [0, 0],
    [1, 0],
    [2, 2],
    [3, 0],
  ])
  await agent.close()
})

images('image/delete does not change the software and operating system of partitions', async () => {
  const [, first, second] = await rowsOf()
  isTrue(first.software > 0 && first.software === second.software)
  is(first.os, second.os)
})

images('client/setup has no image id that GET /images does not list', async () => {
  rmSync(fileOf('two'))
  equal((await read('GET /images')).images, [])
  equal((await imagesOf())[2], [2, 0])
  writeFileSync(fileOf('two'), '')
  equal((await imagesOf())[2], [2, 2])
})

images('an unknown id and one that is not a string of digits are refused with 400', async () => {
  for (const image of ['1', '99', '0', '', '../two', '2 ', 2, null]) {
    is(await statusOf('POST /image/delete', { image }), 400, `${image}`)
  }
  is(existsSync(fileOf('two')), true)
})

images('image/delete ignores a missing file', async () => {
  rmSync(fileOf('two'))
  await ok('POST /image/delete', { image: '2' })
  equal((await imagesOf())[2], [2, 0])
})

images('the name of a deleted image can be used again, its id cannot', async () => {
  await ok('POST /image/create', { ...create, name: 'two', partition: '2', clients: ['127.0.0.9'] })
  writeFileSync(fileOf('two'), '')
  is((await read('GET /images')).images[0].id, 3)
  await ok('POST /image/delete', { image: '3' })
})

images('image names with a path are refused by create and restore', async () => {
  const clients = ['127.0.0.9']
  const restore = { clients, disk: '1', partition: '1', repository: 'x', type: 'x', profile: '1', id: '1' }
  for (const name of ['../two', 'a/b', '..\\two', '.', '..', '', 'two\0', '/etc/passwd']) {
    is(await statusOf('POST /image/create', { ...create, clients, partition: '1', name }), 400, name)
    is(await statusOf('POST /image/restore', { ...restore, name }), 400, name)
  }
  equal((await read('GET /images')).images, [])
})

images('a thousand images among thousands of files are listed in less than a second', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `image-${index}`)
  for (const name of names) {
    writeFileSync(fileOf(name), '')
    for (const end of ['.sum', '.torrent', '.info']) writeFileSync(`${fileOf(name)}${end}`, '')
  }
  await Promise.all(
    names.map(name => testHost.call('POST /image/create', { ...create, clients: ['127.0.0.9'], partition: '1', name })),
  )
  const time = startQuietTimer()
  is((await read('GET /images')).images.length, 1000)
  isTrue(time() < 1000)
})

images.run()

const liveSystems = suite('live systems')
const file = join(testHost.folder, 'live-systems.json')
const defaultSystem = { distribution: '', kernel: '', architecture: '', revision: '', directory: 'ogLive', iso: '' }

liveSystems('without a file the list has one live system, ogLive', async () => {
  equal((await withoutFile.call('GET /oglive/list')).json, { default: 0, oglive: [defaultSystem] })
  equal(await read('GET /oglive/list'), { default: 0, oglive: [defaultSystem] })
})

liveSystems('the list comes from the file, which is read for each request', async () => {
  const noble = {
    ...defaultSystem,
    distribution: 'noble',
    kernel: '6.8',
    architecture: 'amd64',
    directory: 'ogLive-noble',
  }
  for (const listed of [
    { default: 1, oglive: [defaultSystem, noble] },
    { default: 0, oglive: [noble] },
  ]) {
    writeFileSync(file, JSON.stringify(listed))
    equal(await read('GET /oglive/list'), listed)
  }
})

liveSystems('without a default index in the file the first is the default', async () => {
  writeFileSync(file, JSON.stringify({ oglive: [defaultSystem] }))
  equal(await read('GET /oglive/list'), { default: 0, oglive: [defaultSystem] })
})

for (const text of ['{', '', '[]', '{"default": 0}', '{"default": 0, "oglive": {}}', 'null']) {
  liveSystems(`an invalid file causes a 500 and one log entry with its path: ${text}`, async () => {
    writeFileSync(file, text)
    const before = testHost.log.length
    const { status, text: body } = await testHost.call('GET /oglive/list')
    equal([status, body], [500, ''])
    const entries = testHost.log.slice(before)
    is(entries.length, 1)
    // The stack follows in the same entry, indented.
    match(entries[0] ?? '', /^\S+ error .*live-systems\.json: expected \{.*\}, got ".*"\n( .*\n)+$/)
  })
}

liveSystems.run()

const stats = suite('stats')

stats('stats has time, memory and swap', async () => {
  const response = await read('GET /stats')
  equal(Object.keys(response), ['time', 'memory', 'swap'])
  const { time, memory, swap } = response
  equal([time, memory, swap].map(Object.keys), [
    ['now', 'boot', 'start'],
    ['size', 'free'],
    ['size', 'free'],
  ])
  isTrue([...Object.values(time), ...Object.values(memory), ...Object.values(swap)].every(Number.isInteger))
  isTrue(Math.abs(time.now - Date.now() / 1000) < 5)
  isTrue(time.boot >= time.start && time.start >= 0)
  isTrue(memory.size > memory.free && memory.free > 0)
  isTrue(swap.size >= swap.free && swap.free >= 0)
})

stats.after(async () => {
  await testHost.stop()
  await withoutFile.stop()
})
stats.run()
