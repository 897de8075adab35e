// What consoles and CLIs of the family read and change besides: images, live systems, server figures, rooms, computers.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, ok as holds, is, match } from 'uvu/assert'
import { call, startLab, token } from '../harness/test-host.ts'

const lab = await startLab({ options: { boot: { oglives: './lives.json' } } })
const plain = await startLab()
const statusOf = async (route: string, payload?: unknown) => (await lab.call(route, payload)).status
const ok = async (route: string, payload: unknown) => is(await statusOf(route, payload), 200, lab.log.at(-1))
const read = async (route: string, payload?: unknown) => (await lab.call(route, payload)).json
const info = (ip: string) => read('GET /client/info', { client: [ip] })

const ip = '127.0.0.2'
const images = suite('image/delete')

const fileOf = (name: string) => join(lab.folder, 'images', `${name}.img`)
const create = { clients: [ip], disk: '1', code: '83', repository: '10.9.9.9', id: '0', description: 'x' }
const rowsOf = async () => (await read('GET /client/setup', { client: [ip] })).partitions
const imagesOf = async () =>
  (await rowsOf()).map(({ partition, image }: { partition: number; image: number }) => [partition, image])

const entry = (partition: string, size: string) => ({
  ...{ disk: '1', partition, code: '83', filesystem: 'EXT4', os: 'Ubuntu', size, used_size: '10' },
})
const disks = {
  disk_setup: [{ ...entry('0', '900'), code: '1', filesystem: '', os: '' }],
  partition_setup: [entry('1', '300'), entry('2', '300'), entry('3', '300')],
}
const made = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', datasize: 7, software: 'Ubuntu\nvim 9' }

images('removes record and file, and partitions that named the image name none', async () => {
  await lab.addComputer(ip)
  const refreshed = lab.event('command-ended', { addr: ip, command: 'refresh' })
  const agent = await lab.agent(ip, {
    auto: {
      '/refresh': { status: 200, body: disks },
      '/image/create': ({ body }) => {
        const { id, name, partition, disk, code, repository } = Object(body)
        return { status: 200, body: { ...made, id, name, partition, disk, code, repository } }
      },
    },
  })
  await refreshed
  for (const [name, partition] of [
    ['one', '1'],
    ['two', '2'],
  ]) {
    const ended = lab.event('command-ended', { addr: ip, command: 'image-create' })
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
  equal(readdirSync(join(lab.folder, 'images')), ['two.img'])
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

images('leaves the other rows as they are: software and operating system stay', async () => {
  const [, first, second] = await rowsOf()
  holds(first.software > 0 && first.software === second.software)
  is(first.os, second.os)
})

images('client/setup names no image that the list does not have', async () => {
  rmSync(fileOf('two'))
  equal((await read('GET /images')).images, [])
  equal((await imagesOf())[2], [2, 0])
  writeFileSync(fileOf('two'), '')
  equal((await imagesOf())[2], [2, 2])
})

images('an unknown id is 400, and so is one that is no string of digits', async () => {
  for (const image of ['1', '99', '0', '', '../two', '2 ', 2, null]) {
    is(await statusOf('POST /image/delete', { image }), 400, `${image}`)
  }
  is(existsSync(fileOf('two')), true)
})

images('a missing file is no failure', async () => {
  rmSync(fileOf('two'))
  await ok('POST /image/delete', { image: '2' })
  equal((await imagesOf())[2], [2, 0])
})

images('the name is free again, its id is not', async () => {
  await ok('POST /image/create', { ...create, name: 'two', partition: '2', clients: ['127.0.0.9'] })
  writeFileSync(fileOf('two'), '')
  is((await read('GET /images')).images[0].id, 3)
  await ok('POST /image/delete', { image: '3' })
})

images('names that would leave the repository are refused, wherever an image is named', async () => {
  const clients = ['127.0.0.9']
  const restore = { clients, disk: '1', partition: '1', repository: 'x', type: 'x', profile: '1', id: '1' }
  for (const name of ['../two', 'a/b', '..\\two', '.', '..', '', 'two\0', '/etc/passwd']) {
    is(await statusOf('POST /image/create', { ...create, clients, partition: '1', name }), 400, name)
    is(await statusOf('POST /image/restore', { ...restore, name }), 400, name)
  }
  equal((await read('GET /images')).images, [])
})

images('a thousand images among thousands of files are listed at once', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `image-${index}`)
  for (const name of names) {
    writeFileSync(fileOf(name), '')
    for (const end of ['.sum', '.torrent', '.info']) writeFileSync(`${fileOf(name)}${end}`, '')
  }
  await Promise.all(
    names.map(name => lab.call('POST /image/create', { ...create, clients: ['127.0.0.9'], partition: '1', name })),
  )
  const began = performance.now()
  is((await read('GET /images')).images.length, 1000)
  holds(performance.now() - began < 1000)
})

images.run()

const lives = suite('live systems')
const file = join(lab.folder, 'lives.json')
const usual = { distribution: '', kernel: '', architecture: '', revision: '', directory: 'ogLive', iso: '' }

lives('without a file there is one, ogLive', async () => {
  equal((await plain.call('GET /oglive/list')).json, { default: 0, oglive: [usual] })
  equal(await read('GET /oglive/list'), { default: 0, oglive: [usual] })
})

lives('the file lists them, and is read anew each time', async () => {
  const noble = { ...usual, distribution: 'noble', kernel: '6.8', architecture: 'amd64', directory: 'ogLive-noble' }
  for (const listed of [
    { default: 1, oglive: [usual, noble] },
    { default: 0, oglive: [noble] },
  ]) {
    writeFileSync(file, JSON.stringify(listed))
    equal(await read('GET /oglive/list'), listed)
  }
})

lives('a file without a default index means the first', async () => {
  writeFileSync(file, JSON.stringify({ oglive: [usual] }))
  equal(await read('GET /oglive/list'), { default: 0, oglive: [usual] })
})

for (const text of ['{', '', '[]', '{"default": 0}', '{"default": 0, "oglive": {}}', 'null']) {
  lives(`a malformed file is 500, with one line that names it: ${text}`, async () => {
    writeFileSync(file, text)
    const before = lab.log.length
    const { status, text: body } = await lab.call('GET /oglive/list')
    equal([status, body], [500, ''])
    const told = lab.log.slice(before)
    is(told.length, 1)
    // The error's stack follows, indented.
    match(told[0] ?? '', /^\S+ error .*lives\.json: no list of live systems; \{.*\} would be right\n( .*\n)+$/)
  })
}

lives.run()

const stats = suite('stats')

stats('tells time, memory and swap', async () => {
  const answer = await read('GET /stats')
  equal(Object.keys(answer), ['time', 'memory', 'swap'])
  const { time, memory, swap } = answer
  equal([time, memory, swap].map(Object.keys), [
    ['now', 'boot', 'start'],
    ['size', 'free'],
    ['size', 'free'],
  ])
  holds([...Object.values(time), ...Object.values(memory), ...Object.values(swap)].every(Number.isInteger))
  holds(Math.abs(time.now - Date.now() / 1000) < 5)
  holds(time.boot >= time.start && time.start >= 0)
  holds(memory.size > memory.free && memory.free > 0)
  holds(swap.size >= swap.free && swap.free >= 0)
})

stats.run()

const rooms = suite('rooms')
const room = (id: number | string) => read('GET /room/info', { room: id })

rooms('room/info answers with the keys of room/add and the id', async () => {
  await ok('POST /center/add', { name: 'East' })
  const given = { name: 'Full', netmask: '255.0.0.0', center: 2, group: 7, remote: true }
  const more = { location: 'east', gateway: '10.0.0.1', ntp: '10.0.0.2', dns: '10.0.0.3' }
  await ok('POST /room/add', { ...given, ...more })
  equal(await room(2), { ...given, ...more, id: 2 })
  equal(await room('2'), { ...given, ...more, id: 2 })
})

rooms('of an unknown room it is 400', async () => {
  for (const id of [0, 99, '99', '', 'x', '1 ', -1, 1.5, null, [1]]) {
    is(await statusOf('GET /room/info', { room: id }), 400, `${id}`)
  }
  is(await statusOf('GET /room/info'), 400)
})

rooms('room/update changes the keys that it is given, the others stay', async () => {
  const before = await room(2)
  await ok('POST /room/update', { room: 2, location: 'west', remote: false })
  equal(await room(2), { ...before, location: 'west', remote: false })
  await ok('POST /room/update', { room: '2', name: 'Fuller', netmask: '255.255.0.0', group: 0, center: 1 })
  const moved = { name: 'Fuller', netmask: '255.255.0.0', group: 0, center: 1, location: 'west', remote: false }
  equal(await room(2), { ...before, ...moved })
  equal(
    (await read('GET /scopes')).scope.map(({ scope }: { scope: unknown[] }) => scope.length),
    [2, 0],
  )
})

rooms('any other keys are ignored, the id too', async () => {
  const before = await room(2)
  await ok('POST /room/update', { room: 2, id: 1, comment: 'x', scope: [], dns: '10.0.0.9' })
  equal(await room(2), { ...before, dns: '10.0.0.9' })
  is((await room(1)).name, 'Room')
})

const wrongRooms: Record<string, object> = {
  'an unknown room': { room: 99 },
  'an unknown center': { room: 2, center: 99 },
  'a name that another room of the center has': { room: 2, name: 'Room' },
  'an empty name': { room: 2, name: '' },
  'a netmask that is none': { room: 2, netmask: '255.255' },
  'a group that is no number': { room: 2, group: '1' },
  'a flag that is none': { room: 2, remote: 1 },
  'a gateway that is no text': { room: 2, gateway: 1 },
  'no room': { location: 'x' },
}

for (const [name, payload] of Object.entries(wrongRooms)) {
  rooms(`room/update with ${name} is 400 and changes nothing`, async () => {
    const before = await room(2)
    is(await statusOf('POST /room/update', { location: 'changed', ...payload }), 400)
    equal(await room(2), before)
  })
}

rooms.run()

const updates = suite('client/update')
updates.after(async () => {
  await lab.stop()
  await plain.stop()
})

updates('changes any of the keys of client/add, the others stay', async () => {
  const before = await info(ip)
  await ok('POST /client/update', { ip, maintenance: true })
  equal(await info(ip), { ...before, maintenance: true })
  const given = {
    ...{ name: 'new', mac: 'aabbccddeeff', room: 2, netmask: '255.255.255.128', boot: '11', remote: true },
    ...{ serial_number: 'S/N 1', hardware_id: 4, netiface: 'eno1', netdriver: 'e1000e', livedir: 'ogLive-noble' },
  }
  await ok('POST /client/update', { ip, ...given, mac: 'aa:bb-cc:dd:ee:ff' })
  equal(await info(ip), { ...before, ...given, maintenance: true })
})

updates('the address alone changes nothing', async () => {
  const before = await info(ip)
  await ok('POST /client/update', { ip })
  equal(await info(ip), before)
})

updates('any other keys are ignored, id and center too', async () => {
  const before = await info(ip)
  await ok('POST /client/update', { ip, id: 99, center: 2, comment: 'x', name: 'other keys' })
  equal(await info(ip), { ...before, name: 'other keys' })
})

updates('what is known of its disks stays', async () => {
  is((await rowsOf()).length, 4)
})

const wrongComputers: Record<string, object> = {
  'an unknown address': { ip: '10.9.9.9' },
  'an address that is none': { ip: '10.9.9' },
  'an unknown room': { room: 99 },
  'an unknown repository': { repo_id: 99 },
  'a hardware address that is none': { mac: '00:11:22:33:44' },
  'an empty name': { name: '' },
  'a flag that is none': { maintenance: 'yes' },
  'a room that is no number': { room: '1' },
  'a mode that is no text': { boot: 11 },
}

for (const [name, payload] of Object.entries(wrongComputers)) {
  updates(`with ${name} is 400 and changes nothing`, async () => {
    const before = await info(ip)
    is(await statusOf('POST /client/update', { ip, livedir: 'changed', ...payload }), 400)
    equal(await info(ip), before)
  })
}

updates('without an address, a body or a token it is refused', async () => {
  is(await statusOf('POST /client/update', { name: 'x' }), 400)
  is(await statusOf('POST /client/update'), 400)
  is(await statusOf('GET /client/update', { ip }), 405)
  const { status } = await call(lab.host.ports.rest, 'POST /client/update', { ip }, { Authorization: `${token}x` })
  is(status, 401)
})

updates.run()
