// room/info, room/update and client/update: which keys change, and which payloads are refused.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { disk, root as partition } from '../harness/lab-images.ts'
import { call, token } from '../harness/rest-call.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const statusOf = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).status
const ok = async (route: string, payload: unknown) => is(await statusOf(route, payload), 200, testHost.log.at(-1))
const read = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).json
const info = (ip: string) => read('GET /client/info', { client: [ip] })

const ip = '127.0.0.2'

const rooms = suite('room/info and room/update')
rooms.before(async () => {
  await testHost.addComputer(ip)
  await testHost.agent(ip, { refresh: { status: 200, body: { disk_setup: [disk], partition_setup: [partition] } } })
})
const room = (id: number | string) => read('GET /room/info', { room: id })

rooms('the response to room/info has the keys of room/add and the id', async () => {
  await ok('POST /center/add', { name: 'East' })
  const required = { name: 'Full', netmask: '255.0.0.0', center: 2 }
  const more = { group: 7, remote: true, location: 'east', gateway: '10.0.0.1', ntp: '10.0.0.2', dns: '10.0.0.3' }
  await ok('POST /room/add', { ...required, ...more })
  equal(await room(2), { ...required, ...more, id: 2 })
  equal(await room('2'), { ...required, ...more, id: 2 })
})

rooms('room/info of an unknown room is refused with 400', async () => {
  for (const id of [0, 99, '99', '', 'x', '1 ', -1, 1.5, null, [1]]) {
    is(await statusOf('GET /room/info', { room: id }), 400, `${id}`)
  }
  is(await statusOf('GET /room/info'), 400)
})

rooms('room/update changes only the keys of the payload', async () => {
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

rooms('room/update ignores other keys, also id', async () => {
  const before = await room(2)
  await ok('POST /room/update', { room: 2, id: 1, comment: 'x', scope: [], dns: '10.0.0.9' })
  equal(await room(2), { ...before, dns: '10.0.0.9' })
  is((await room(1)).name, 'Room')
})

const invalidRooms: Record<string, object> = {
  'an unknown room': { room: 99 },
  'an unknown center': { room: 2, center: 99 },
  'a name that another room of the center has': { room: 2, name: 'Room' },
  'an empty name': { room: 2, name: '' },
  'an invalid netmask': { room: 2, netmask: '255.255' },
  'a group that is not a number': { room: 2, group: '1' },
  'a flag that is not a boolean': { room: 2, remote: 1 },
  'a gateway that is not a text': { room: 2, gateway: 1 },
  'no room': { location: 'x' },
}

for (const [name, payload] of Object.entries(invalidRooms)) {
  rooms(`room/update with ${name} is refused with 400 and changes nothing`, async () => {
    const before = await room(2)
    is(await statusOf('POST /room/update', { location: 'changed', ...payload }), 400)
    equal(await room(2), before)
  })
}

rooms.run()

const updates = suite('client/update')
updates.after(() => testHost.stop())

updates('client/update changes only the keys of the payload, which are those of client/add', async () => {
  const before = await info(ip)
  await ok('POST /client/update', { ip, maintenance: true })
  equal(await info(ip), { ...before, maintenance: true })
  const change = {
    name: 'new',
    mac: 'aabbccddeeff',
    room: 2,
    netmask: '255.255.255.128',
    boot: '11',
    remote: true,
    serial_number: 'S/N 1',
    hardware_id: 4,
    netiface: 'eno1',
    netdriver: 'e1000e',
    livedir: 'ogLive-noble',
    place: { row: 2, column: 3 },
  }
  await ok('POST /client/update', { ip, ...change, mac: 'aa:bb-cc:dd:ee:ff' })
  equal(await info(ip), { ...before, ...change, maintenance: true })
})

updates('a place of null removes the place, and the record then has no such key', async () => {
  await ok('POST /client/update', { ip, place: { row: 7, column: 8 } })
  equal((await info(ip)).place, { row: 7, column: 8 })
  await ok('POST /client/update', { ip, place: null })
  equal('place' in (await info(ip)), false)
})

updates('client/update with only the address changes nothing', async () => {
  const before = await info(ip)
  await ok('POST /client/update', { ip })
  equal(await info(ip), before)
})

updates('client/update ignores other keys, also id and center', async () => {
  const before = await info(ip)
  await ok('POST /client/update', { ip, id: 99, center: 2, comment: 'x', name: 'other keys' })
  equal(await info(ip), { ...before, name: 'other keys' })
})

updates('client/update does not change the stored disks', async () => {
  is((await read('GET /client/setup', { client: [ip] })).partitions.length, 2)
})

const invalidComputers: Record<string, object> = {
  'an unknown address': { ip: '10.9.9.9' },
  'an invalid address': { ip: '10.9.9' },
  'an unknown room': { room: 99 },
  'an unknown repository': { repo_id: 99 },
  'an invalid hardware address': { mac: '00:11:22:33:44' },
  'an empty name': { name: '' },
  'a flag that is not a boolean': { maintenance: 'yes' },
  'a room that is not a number': { room: '1' },
  'a mode that is not a text': { boot: 11 },
  'a place without a column': { place: { row: 1 } },
  'a row of 0': { place: { row: 0, column: 1 } },
  'a column of 100': { place: { row: 1, column: 100 } },
}

for (const [name, payload] of Object.entries(invalidComputers)) {
  updates(`client/update with ${name} is refused with 400 and changes nothing`, async () => {
    const before = await info(ip)
    is(await statusOf('POST /client/update', { ip, livedir: 'changed', ...payload }), 400)
    equal(await info(ip), before)
  })
}

updates('client/update without an address, a body or a valid token is refused', async () => {
  is(await statusOf('POST /client/update', { name: 'x' }), 400)
  is(await statusOf('POST /client/update'), 400)
  is(await statusOf('GET /client/update', { ip }), 405)
  const { status } = await call(testHost.host.ports.rest, 'POST /client/update', { ip }, { Authorization: `${token}x` })
  is(status, 401)
})

updates.run()
