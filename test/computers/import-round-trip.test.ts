// An export of one server is imported by another one that has the same centers and rooms, whatever ids they have there.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

const [one, two] = await Promise.all([startTestHost(), startTestHost()])

const trip = suite('import of an export')
trip.after(async () => {
  await Promise.all([one.stop(), two.stop()])
})

async function ok({ call, log }: TestHost, route: string, payload: object): Promise<void> {
  is((await call(route, payload)).status, 200, log.at(-1))
}

const exported = async ({ call }: TestHost) => (await call('GET /client/export')).text
const importTo = async ({ call }: TestHost, text: string, more: object = {}) =>
  (await call('POST /client/import', { format: 'csv', text, ...more })).json

const centers = ['Science', 'Arts', 'a/b', 'a', '=1']
const rooms: [center: string, room: string][] = [
  ['Science', 'Lab 1'],
  ['Arts', 'Lab 1'],
  ['Arts', '101'],
  ['a/b', 'c'],
  ['a', 'b/c'],
  ['a', ' "x", y '],
  ['=1', '\\/'],
]

async function addRooms(host: TestHost, names: typeof rooms): Promise<void> {
  for (const [center, name] of names) {
    const id = (await host.call('GET /scopes')).json.scope.find((each: { name: string }) => each.name === center).id
    await ok(host, 'POST /room/add', { center: id, name, netmask: '255.255.255.0' })
  }
}

async function roomPaths({ call }: TestHost): Promise<Map<number, string>> {
  const { scope } = (await call('GET /scopes')).json
  return new Map(
    scope.flatMap((center: { name: string; scope: { id: number; name: string }[] }) =>
      center.scope.map(({ id, name }) => [id, JSON.stringify([center.name, name])]),
    ),
  )
}

let text = ''

trip.before(async () => {
  for (const name of centers) await ok(one, 'POST /center/add', { name })
  for (const name of centers.toReversed()) await ok(two, 'POST /center/add', { name })
  await addRooms(one, rooms)
  await addRooms(two, rooms.slice(1).reverse())
  await ok(two, 'POST /repository/add', { name: 'other', ip: '10.1.1.8' })
  for (const host of [one, two]) await ok(host, 'POST /repository/add', { name: 'images', ip: '10.1.1.9' })
  for (const room of (await roomPaths(one)).keys()) {
    const mac = `0200000000${room.toString(16).padStart(2, '0')}`
    await ok(one, 'POST /client/add', { name: `pc-${room}`, ip: `10.1.1.${room}`, mac, room })
  }
  const texts = { boot: '', netiface: '', netdriver: '', livedir: '', netmask: '' }
  await ok(one, 'POST /client/update', { ip: '10.1.1.1', ...texts, repo_id: 2, hardware_id: 7_000_000_000 })
  await ok(one, 'POST /client/update', { ip: '10.1.1.3', place: { row: 4, column: 12 } })
  const more = { name: ' "ñ"; -1\n', serial_number: "'=1", remote: true, maintenance: true, boot: '11', livedir: "'" }
  await ok(one, 'POST /client/update', { ip: '10.1.1.2', ...more })
  text = await exported(one)
})

trip('each line of a missing room is a conflict, and nothing is stored', async () => {
  equal(await importTo(two, text), {
    added: 0,
    exists: 0,
    conflicts: [{ line: 2, reason: 'room: there is no room "Science/Lab 1"' }],
  })
  is((await exported(two)).trim().split('\r\n').length, 1)
})

trip(
  'the other server stores the same records in the rooms of these names, and its export has the same bytes',
  async () => {
    await addRooms(two, rooms.slice(0, 1))
    equal(await importTo(two, text), { added: 7, exists: 0, conflicts: [] })
    is(await exported(two), text)
    const [here, there] = [await roomPaths(one), await roomPaths(two)]
    for (const room of here.keys()) {
      const records = [one, two].map(
        async ({ call }) => (await call('GET /client/info', { client: [`10.1.1.${room}`] })).json,
      )
      const [record, copy] = await Promise.all(records)
      equal(here.get(record.room), there.get(copy.room))
      const same = { ...record, id: copy.id, room: copy.room, center: copy.center, repo_id: copy.repo_id }
      equal(copy, same)
    }
    is((await two.call('GET /client/info', { client: ['10.1.1.1'] })).json.repo_id, 3)
  },
)

trip('an import of the same text changes nothing, also with update', async () => {
  equal(await importTo(two, text), { added: 0, exists: 7, conflicts: [] })
  const { rows, ...counts } = await importTo(two, text, { update: true })
  equal(counts, { added: 0, exists: 7, updated: 0, conflicts: [] })
  is(rows.length, 7)
  is(await exported(two), text)
})

trip('an import with update gives other records the values of the text', async () => {
  const macs = ['10.1.1.1', '10.1.1.2', '10.1.1.3']
  for (const [index, ip] of macs.entries()) {
    const change = {
      name: 'other',
      room: index + 1,
      boot: '12',
      livedir: 'x',
      netmask: '255.0.0.0',
      remote: index === 0,
    }
    await ok(two, 'POST /client/update', { ip, ...change, maintenance: true, repo_id: 2 })
    if (ip === '10.1.1.3') await ok(two, 'POST /client/update', { ip, place: null })
  }
  const { rows, ...counts } = await importTo(two, text, { update: true })
  equal(counts, { added: 0, exists: 4, updated: 3, conflicts: [] })
  is(await exported(two), text)
})

trip('a name that only one room has is enough, one of several needs the center, and digits are an id', async () => {
  const row = (room: string) => `name,ip,mac,room\npc,10.1.2.1,020000000201,${room}\n`
  const reason = async (room: string) => (await importTo(two, row(room), { dry_run: true })).conflicts[0]?.reason
  is(await reason('c'), undefined)
  is(await reason('Arts/101'), undefined)
  is(await reason('a/b/c'), 'room: expected one of a/b\\/c, a\\/b/c, got "a/b/c"')
  is(await reason('a\\/b/c'), undefined)
  is(await reason('1'), undefined)
  is(await reason('101'), 'room: there is no room 101')
  match(await reason('Lab 1'), /^room: expected one of .*(Science|Arts)\/Lab 1, (Science|Arts)\/Lab 1, got "Lab 1"$/)
})

trip('an unknown repository is a conflict, and a row without a room needs the room of the request', async () => {
  const reason = async (text: string, more: object = {}) =>
    (await importTo(two, text, { dry_run: true, ...more })).conflicts[0]?.reason
  const head = 'name,ip,mac,repo_id\npc,10.1.2.1,020000000201,'
  is(await reason(`${head}nothing`, { room: 1 }), 'repo_id: there is no repository "nothing"')
  is(await reason(`${head}images`, { room: 1 }), undefined)
  is(await reason(`${head}images`), 'room: expected that of a new computer, got none')
})

trip.run()
