// center/update, repository/update and client/move: what changes, and which payloads are refused.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost({ options: { boot: { output: './boot', server: '10.9.9.9' } } })
const answer = (route: string, payload?: unknown) => testHost.call(route, payload)
const statusOf = async (route: string, payload?: unknown) => (await answer(route, payload)).status
const ok = async (route: string, payload: unknown) => is(await statusOf(route, payload), 200, testHost.log.at(-1))
const read = async (route: string, payload?: unknown) => (await answer(route, payload)).json
const info = (ip: string) => read('GET /client/info', { client: [ip] })
const [one, two] = ['127.0.0.2', '127.0.0.3']

/** The boot file of the computer with this address. */
function bootFile(ip: string): string {
  const mac = ip.split('.').map(byte => Number(byte).toString(16).padStart(2, '0'))
  const file = join(testHost.folder, 'boot/menu.lst', `01-02-00-${mac.join('-')}`.toUpperCase())
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const test = suite('changes of centers, repositories and rooms')
test.before(async () => {
  for (const ip of [one, two]) await testHost.addComputer(ip)
  await ok('POST /room/add', { name: 'Second', netmask: '255.255.255.0', center: 1, gateway: '10.2.0.254' })
  await ok('POST /repository/add', { name: 'far', ip: '10.9.9.8', slots: 4 })
})

test('center/update changes the name, which stays unique', async () => {
  await ok('POST /center/add', { name: 'Other' })
  await ok('POST /center/update', { center: '2', name: 'Renamed', comment: 'x' })
  await ok('POST /center/update', { center: 2, comment: 'y' })
  const names = (await read('GET /scopes')).scope.map(({ name }: { name: string }) => name)
  equal(names, ['Center', 'Renamed'])
  is(
    (await answer('POST /center/update', { center: 2, name: 'Center' })).headers['x-reason'],
    'name: center Center exists',
  )
  is(await statusOf('POST /center/update', { center: 99, name: 'x' }), 400)
})

test('a name that is taken is what a refusal says, whatever the id of the record is', async () => {
  const procedure = { center: '1', name: 'Tidy up' }
  await ok('POST /procedure/add', procedure)
  await ok('POST /procedure/add', { center: '1', name: 'Other' })
  await ok('POST /task/add', procedure)
  await ok('POST /group/add', { name: 'Exam', where: 'room:1' })
  await ok('POST /group/add', { name: 'Free', where: 'room:2' })
  const room = { name: 'Room', netmask: '255.255.255.0', center: 1 }
  const refused = [
    ['POST /room/add', room, 'name: room Room exists in this center'],
    ['POST /room/update', { room: 2, name: 'Room' }, 'name: room Room exists in this center'],
    ['POST /room/update', { room: 2, center: 99 }, 'center: there is no center 99'],
    ['POST /repository/update', { repository: 2, name: 'default' }, 'name: repository default exists'],
    ['POST /group/update', { group: 2, name: 'Exam' }, 'name: group Exam exists'],
    ['POST /procedure/add', procedure, 'name: procedure Tidy up exists in this center'],
    ['POST /procedure/update', { ...procedure, procedure: '2' }, 'name: procedure Tidy up exists in this center'],
    ['POST /task/add', procedure, 'name: task Tidy up exists in this center'],
    ['POST /task/add', { center: '99', name: 'x' }, 'center: there is no center 99'],
  ] as const
  for (const [route, payload, reason] of refused)
    equal([route, (await answer(route, payload)).headers['x-reason']], [route, reason])
})

test('repository/update changes only the keys of the payload', async () => {
  await ok('POST /repository/update', { repository: 2, slots: 10 })
  await ok('POST /repository/update', { repository: '2', name: 'farther' })
  const [first, second] = (await read('GET /repositories')).repositories
  equal([first.slots, second], [0, { id: 2, ip: '10.9.9.8', name: 'farther', slots: 10 }])
  await ok('POST /repository/update', { repository: 2, slots: 0 })
  is((await read('GET /repositories')).repositories[1].slots, 0)
})

test('repository/update refuses a taken name, an unknown id, and an address for repository 1', async () => {
  is(await statusOf('POST /repository/update', { repository: 2, name: 'default' }), 400)
  is(await statusOf('POST /repository/update', { repository: 99, slots: 1 }), 400)
  is(await statusOf('POST /repository/update', { repository: 1, ip: '10.1.1.1' }), 400)
  await ok('POST /repository/update', { repository: 1, slots: 3 })
})

test('a new address of a repository is in the boot files of the computers that use it', async () => {
  await ok('POST /client/update', { ip: one, repo_id: 2 })
  match(bootFile(one), /ogrepo=10\.9\.9\.8/)
  await ok('POST /repository/update', { repository: 2, ip: '10.9.9.7' })
  match(bootFile(one), /ogrepo=10\.9\.9\.7/)
  match(bootFile(two), /ogrepo=10\.9\.9\.9/)
})

test('client/move moves computers and their boot files to a room, without their places', async () => {
  await ok('POST /client/update', { ip: one, place: { row: 1, column: 2 } })
  const before = await info(one)
  const { place, ...values } = before
  await ok('POST /client/move', { clients: [one, two, one], room: 2 })
  equal(
    [place, await info(one)],
    [
      { row: 1, column: 2 },
      { ...values, room: 2 },
    ],
  )
  is((await info(two)).room, 2)
  match(bootFile(two), /group=Second/)
  match(bootFile(two), /:10\.2\.0\.254:/)
})

test('a computer that is in the room already keeps its place', async () => {
  await ok('POST /client/update', { ip: one, place: { row: 3, column: 4 } })
  await ok('POST /client/move', { clients: [one], room: 2 })
  equal((await info(one)).place, { row: 3, column: 4 })
})

test('client/move with an unknown room or address is refused, and nothing changes', async () => {
  is((await answer('POST /client/move', { clients: [one], room: 99 })).headers['x-reason'], 'room: there is no room 99')
  is(await statusOf('POST /client/move', { clients: [one, '10.1.1.1'], room: 1 }), 400)
  is((await info(one)).room, 2)
})

test('a limited caller moves its computers between its rooms only', async () => {
  await ok('POST /room/add', { name: 'Third', netmask: '255.255.255.0', center: 1 })
  const added = await read('POST /token/add', { name: 'lab', role: 'admin', rooms: [2, 3] })
  const headers = { Authorization: added.token }
  const move = async (room: number) =>
    (await testHost.call('POST /client/move', { clients: [one], room }, headers)).status
  equal([await move(1), await move(99), await move(3)], [403, 403, 200])
  is((await info(one)).room, 3)
})

test.after(() => testHost.stop())
test.run()
