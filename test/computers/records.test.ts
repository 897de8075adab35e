// Centers, rooms and computers: adding, reading and deleting them, and the tree of scopes.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const statusOf = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).status
const ok = async (route: string, payload: unknown) => is(await statusOf(route, payload), 200, testHost.log.at(-1))
const scopes = async () => (await testHost.call('GET /scopes')).json.scope
const info = (ip: string) => testHost.call('GET /client/info', { client: [ip] })

const pc = { name: 'pc-1', ip: '10.1.1.1', mac: '00:1b:21:0A:0b:0c', room: 1 }

const scopesSuite = suite('scopes')

scopesSuite('a new daemon has no centers', async () => {
  equal((await testHost.call('GET /scopes')).json, { scope: [] })
})

scopesSuite('centers contain rooms, rooms contain computers, computers contain an empty array', async () => {
  await ok('POST /center/add', { name: 'Science', comment: 'first floor' })
  await ok('POST /center/add', { name: 'Arts' })
  await ok('POST /room/add', { name: 'Lab', netmask: '255.255.255.0', center: 1 })
  await ok('POST /room/add', { name: 'Library', netmask: '255.255.0.0', center: 1 })
  await ok('POST /room/add', { name: 'Studio', netmask: '255.255.0.0', center: 2 })
  await ok('POST /client/add', pc)
  await ok('POST /client/add', { ...pc, name: 'pc-2', ip: '10.1.1.2' })
  const computer = (id: number) => ({ name: `pc-${id}`, type: 'computer', id, scope: [], ip: `10.1.1.${id}` })
  equal(await scopes(), [
    {
      name: 'Science',
      type: 'center',
      id: 1,
      scope: [
        { name: 'Lab', type: 'room', id: 1, scope: [computer(1), computer(2)] },
        { name: 'Library', type: 'room', id: 2, scope: [] },
      ],
    },
    { name: 'Arts', type: 'center', id: 2, scope: [{ name: 'Studio', type: 'room', id: 3, scope: [] }] },
  ])
})

scopesSuite.run()

const centers = suite('centers and rooms')

centers('a second center of the same name is refused with 400', async () => {
  is(await statusOf('POST /center/add', { name: 'Science' }), 400)
  is((await scopes()).length, 2)
})

centers('a second room of the same name is refused with 400 in the same center, not in another', async () => {
  const room = { name: 'Lab', netmask: '255.255.255.0' }
  is(await statusOf('POST /room/add', { ...room, center: 1 }), 400)
  is(await statusOf('POST /room/add', { ...room, center: 2 }), 200)
})

centers('a room in an unknown center is refused with 400', async () => {
  for (const center of [0, 3, -1]) {
    is(await statusOf('POST /room/add', { name: 'Nowhere', netmask: '255.255.255.0', center }), 400)
  }
})

centers('a room may have location, gateway, ntp, dns, group and remote', async () => {
  const room = { name: 'Full', netmask: '255.0.0.0', center: 2 }
  const more = { location: 'east', gateway: '10.0.0.1', ntp: '10.0.0.2', dns: '10.0.0.3', group: 7, remote: true }
  is(await statusOf('POST /room/add', { ...room, ...more, group: '7' }), 400)
  is(await statusOf('POST /room/add', { ...room, ...more, remote: 1 }), 400)
  is(await statusOf('POST /room/add', { ...room, netmask: '255.0.0' }), 400)
  await ok('POST /room/add', { ...room, ...more })
})

centers('the id in a delete request is a string of digits, the id of a record', async () => {
  for (const route of ['POST /center/delete', 'POST /room/delete']) {
    for (const id of ['99', '0', '', 'one', '1.0', '-1', 1, null])
      is(await statusOf(route, { id }), 400, `${route} ${id}`)
  }
  is((await scopes()).length, 2)
})

centers.run()

const records = suite('computers')

records('a computer with only the required keys has defaults for the others', async () => {
  equal((await info('10.1.1.1')).json, {
    serial_number: '',
    hardware_id: 0,
    netdriver: 'generic',
    maintenance: false,
    netiface: 'eth0',
    repo_id: 1,
    livedir: 'ogLive',
    netmask: '255.255.255.0',
    center: 1,
    remote: false,
    room: 1,
    name: 'pc-1',
    boot: 'pxe',
    mac: '001b210A0b0c',
    id: 1,
    ip: '10.1.1.1',
  })
})

records('every key of a computer record is stored', async () => {
  const computer = {
    name: 'pc-3',
    ip: '10.1.1.3',
    mac: 'aabbccddeeff',
    room: 3,
    netmask: '255.255.255.128',
    boot: '11',
    remote: true,
    serial_number: 'S/N 1',
    hardware_id: 4,
    repo_id: 1,
    netiface: 'eno1',
    netdriver: 'e1000e',
    livedir: 'ogLive-noble',
    maintenance: true,
  }
  await ok('POST /client/add', computer)
  equal((await info('10.1.1.3')).json, { ...computer, id: 3, center: 2 })
})

records('the keys id and center of a new computer are ignored', async () => {
  await ok('POST /client/add', { ...pc, ip: '10.1.1.4', id: 77, center: 'x' })
  const { json } = await info('10.1.1.4')
  equal([json.id, json.center], [4, 1])
})

records('a second computer with the same ip is refused with 400 and changes nothing', async () => {
  const before = (await info('10.1.1.1')).json
  is(await statusOf('POST /client/add', { ...pc, name: 'another', room: 2 }), 400)
  equal((await info('10.1.1.1')).json, before)
})

records('a computer with an unknown room or repository is refused with 400', async () => {
  for (const part of [{ room: 99 }, { room: 0 }, { repo_id: 99 }, { repo_id: 0 }]) {
    is(await statusOf('POST /client/add', { ...pc, ip: '10.1.1.9', ...part }), 400)
  }
  is((await info('10.1.1.9')).status, 400)
})

records('mac is 12 hex digits, and the separators : and - are removed', async () => {
  const ip = '10.1.1.5'
  for (const mac of ['00-1B-21-0a-0b-0d', '001b210a0b0d', '00:1B:21:0a:0b:0d']) {
    await ok('POST /client/add', { ...pc, ip, mac })
    is((await info(ip)).json.mac.toLowerCase(), '001b210a0b0d')
    await ok('POST /client/delete', { clients: [ip] })
  }
  const invalid = '001b210a0b0 001b210a0b0dd 00:1b:21:0a:0b g01b210a0b0d 00.1b.21.0a.0b.0d :001b210a0b0d'
  for (const mac of ['', ...invalid.split(' ')]) is(await statusOf('POST /client/add', { ...pc, ip, mac }), 400, mac)
})

records('client/info takes exactly one address', async () => {
  for (const client of [[], ['10.1.1.1', '10.1.1.2'], ['10.1.1.1', '10.1.1.1'], '10.1.1.1']) {
    is(await statusOf('GET /client/info', { client }), 400)
    is(await statusOf('GET /client/setup', { client }), 400)
  }
})

records('for an unknown computer client/info is refused with 400, and client/setup is an empty list', async () => {
  is((await info('10.9.9.9')).status, 400)
  equal((await testHost.call('GET /client/setup', { client: ['10.9.9.9'] })).json, { partitions: [] })
})

records('client/delete ignores unknown addresses', async () => {
  await ok('POST /client/delete', { clients: ['10.9.9.9', '10.1.1.4', '10.1.1.4'] })
  is((await info('10.1.1.4')).status, 400)
  is((await info('10.1.1.1')).status, 200)
})

records('the address of a deleted computer can be used again, its id cannot', async () => {
  await ok('POST /client/add', { ...pc, ip: '10.1.1.4' })
  is((await info('10.1.1.4')).json.id > 4, true)
})

records('deleting a computer clears its output', async () => {
  const agent = await testHost.agent('127.0.0.2', { auto: { '/shell/run': { status: 200, body: { out: 'text' } } } })
  await ok('POST /client/add', { ...pc, ip: agent.addr })
  const clients = [agent.addr]
  const ended = testHost.event('command-ended', { addr: agent.addr, command: 'shell-run' })
  await ok('POST /shell/run', { clients, run: 'true', echo: true })
  await ended
  equal((await testHost.call('POST /shell/output', { clients })).json.clients, [{ addr: agent.addr, output: 'text' }])
  await ok('POST /client/delete', { clients })
  equal((await testHost.call('POST /shell/output', { clients })).json.clients, [{ addr: agent.addr, output: '' }])
  const gone = testHost.event('client-gone', { addr: agent.addr })
  await agent.close()
  await gone
  equal((await testHost.call('POST /shell/output', { clients })).json.clients, [])
})

records.run()

const cascades = suite('deleting centers and rooms')
cascades.after(() => testHost.stop())

cascades('deleting a room deletes its computers', async () => {
  await ok('POST /room/delete', { id: '3' })
  is((await info('10.1.1.3')).status, 400)
  is((await info('10.1.1.1')).status, 200)
  is(await statusOf('POST /room/delete', { id: '3' }), 400)
})

cascades('deleting a center deletes its rooms and computers', async () => {
  await ok('POST /center/delete', { id: '1' })
  is((await info('10.1.1.1')).status, 400)
  is(await statusOf('POST /client/add', pc), 400)
  equal(
    (await scopes()).map(({ name }: { name: string }) => name),
    ['Arts'],
  )
})

cascades.run()
