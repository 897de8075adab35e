// What administrators ask for, by `GET /search`: each query finds the computers that it should, within the caller's rights.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { reported, takeInventory } from '../harness/inventory-lab.ts'
import { startLab } from '../harness/lab.ts'

export const runs = { postgres: true }

const lab = await startLab({ subnet: '127.0.31', rooms: true, repository: true })
const ips = [1, 2, 3, 4].map(number => `127.0.31.${number}`)
const [one = '', two = '', three = '', four = ''] = ips

await lab.status('POST /room/update', { room: 2, tags: ['exam'] })
await lab.status('POST /room/update', { room: 1, name: 'Room 1' })
await lab.status('POST /client/update', {
  ip: one,
  name: 'lab-r01-1',
  tags: ['CAD', 'seat:left'],
  serial_number: '5CG001',
})
await lab.status('POST /client/update', { ip: two, name: 'lab-r01-2', mac: '00:1b:21:00:00:02', boot: 'pxe' })
await takeInventory(
  lab,
  one,
  reported(465, 'Windows 11 Pro', '96'),
  'mem=15.5 GiB\ndis=Samsung NVMe 980\ncpu=Intel Core i5-12400\n',
  'Windows 11\nBlender 3.6.2\nGIMP 2.10\n',
)
await takeInventory(
  lab,
  two,
  reported(232, 'Debian 13', '10'),
  'mem=3.8 GiB\nmod=OptiPlex 7010\n',
  'Debian\nblender 2.83.5-1\n',
)
const agent = await lab.agent(three, { refresh: { status: 200, body: reported(100, 'Windows 10', '0') } })
await lab.create({ addr: three, agent }, { name: 'Win11', description: 'Of this term' }, { content: 'image' })

const find = async (where: string, token?: string) => {
  const path = `GET /search?explain=1&where=${encodeURIComponent(where)}`
  const response =
    token === undefined ? await lab.call(path) : await lab.call(path, undefined, { Authorization: token })
  return response
}

const test = suite('queries of administrators')
test.after(() => lab.stop())

const queries: [string, string[]][] = [
  ['', ips],
  ['room:"Room 1" os:windows', [one]],
  ['tag:cad software:blender>=3', [one]],
  ['software:blender not software:blender>=3', [two]],
  ['ram<8GB', [two]],
  ['ram:16GB', [one]],
  ['disk:nvme', [one]],
  ['disk>=500GB', [one]],
  ['disk:250GB', [two]],
  ['used>90%', [one]],
  ['state:off', [one, two, four]],
  ['state:on', [three]],
  ['image:win11', [three]],
  ['ip:127.0.31.0/30', [one, two, three]],
  ['ip:127.0.0.0/12 maintenance:yes', [four]],
  ['name:lab-r01-*', [one, two]],
  ['serial:5cg*', [one]],
  ['mac:00-1B-21-*', [two]],
  ['mac:001b.2100.0002', [two]],
  ['001b.2100.0002', [two]],
  ['hostname:lab-r01-* -tag:cad status:offline memory <= 4 GB', [two]],
  ['lastseen<1h processor:i5', [one]],
  ['state:online', [three]],
  ['os:* os!=windows', [two]],
  ['tag:exam or cpu:i5', [one, three, four]],
  ['model:optiplex', [two]],
  ['user:anna', []],
  ['failed:restore', []],
  ['31.4', [four]],
  ['seen<1h', [one, two, three]],
  ['seen>2w', [four]],
  ['5cg001 or "lab-r01-2"', [one, two]],
  ['not (room:"Room 1" or maintenance:yes)', [three]],
]

for (const [where, expected] of queries) {
  test(`${where || 'a query without conditions'} finds ${expected.length}`, async () => {
    const { status, json } = await find(where)
    is(status, 200, lab.log.at(-1))
    equal([json.total, json.computers.map(({ client }: { client: string }) => client)], [expected.length, expected])
  })
}

test('a login is found while it lasts', async () => {
  const found = lab.event('session-login')
  agent.event('start', 'Anna')
  await found
  equal((await find('user:anna')).json.computers.length, 1)
})

test('a page says which one follows, and how many there are in all', async () => {
  const first = (await lab.call('GET /search?limit=3')).json
  const second = (await lab.call(`GET /search?limit=3&after=${first.next}`)).json
  equal([first.total, first.computers.length, second.computers[0].client, 'next' in second], [4, 3, four, false])
})

test('a wrong limit is refused with the numbers that it may be', async () => {
  const reasons = ['search?', 'software?search=a&', 'inventory/history?'].map(
    async path => (await lab.call(`GET /${path}limit=0`)).headers['x-reason'],
  )
  const expected = (most: number) => `?limit: expected 1 to ${most}, got "0"`
  equal(await Promise.all(reasons), [99_999, 1_000, 1_000].map(expected))
})

const refusals: [string, RegExp][] = [
  ['rom:x', /^where: at 1: there is no field rom; is room meant\?$/],
  ['zzzzzz:x', /^where: at 1: there is no field zzzzzz; there are name, ip, .*, maintenance$/],
  ['a && b', /^where: at 3: expected a condition, got &&; is and meant\?$/],
  ['room:(a or b)', /^where: at 6: expected one value, got "\("; write \(room:a or room:b\)$/],
  ['a ram<much', /^where: at 7: ram: expected a size such as 8GB, got much$/],
  ['disk.free:3', /^where: at 1: there is no field disk.free; /],
  ['room<3', /^where: at 6: room: expected ":", got "<"$/],
  ['state:asleep', /^where: at 7: state: expected on, off, /],
  ['ip:10.1.0.0/33', /^where: at 4: ip: expected an address or a network, got 10\.1\.0\.0\/33$/],
  ['group:x', /^where: at 7: group: there is no group x$/],
  ['constructor:x', /^where: at 1: there is no field constructor; /],
  ['seen<soon', /^where: at 6: seen: expected a time such as 30m, 12h, 7d or 4w, got soon$/],
  ['seen:7d', /^where: at 6: seen: expected one comparison, < or >$/],
  ['maintenance:maybe', /expected yes or no, got maybe$/],
  ['used>much', /expected percent, got much$/],
  ['software:x>=new', /expected a version, got new$/],
  ['x'.repeat(4001), /^where: expected at most 4000 characters, got 4001$/],
]

for (const [where, reason] of refusals) {
  test(`a query that cannot be understood is refused with the place: ${where.slice(0, 20)}`, async () => {
    const { status, headers } = await find(where)
    is(status, 400)
    match(String(headers['x-reason']), reason)
  })
}

const nothing: [string, string, string?][] = [
  ['os:windows room:Room 1', 'at 12: no computer has room:Room', 'os:windows room:"Room 1"'],
  ['os:windows rom1', 'at 12: no name, address or serial number has rom1'],
  ['exam', 'at 1: no name, address or serial number has exam', 'tag:exam'],
  ['tag:exma or boot:nowhere', 'at 1: no computer has tag:exma', 'tag:exam or boot:nowhere'],
  ['name:r01', 'at 1: no computer has name:r01', 'name:*r01*'],
  ['os:windows,debian', 'at 1: no computer has os:windows,debian', '(os:windows or os:debian)'],
  ['os=debian', 'at 1: no computer has os=debian', 'os:"Debian 13"'],
  ['software:blender>=9', 'at 1: no computer has software:blender>=9'],
  ['host:zzzzzzzz', 'at 1: no computer has host:zzzzzzzz'],
  ['state:busy', 'at 1: no computer has state:busy'],
]

for (const [where, reason, meant] of nothing) {
  test(`a query that finds nothing says why, and what may be meant: ${where}`, async () => {
    const expected = { total: 0, computers: [], reason, ...(meant !== undefined && { meant }) }
    equal((await find(where)).json, expected)
  })
}

test('conditions that find something by themselves have no reason', async () => {
  equal((await find('os:windows not os:windows')).json, { total: 0, computers: [] })
})

test('a limited caller is offered nothing that only others have, and learns of none', async () => {
  const { token } = await lab.addToken('offered', 'read')
  for (const where of ['tag:exam', 'tag:exma', 'exam', 'image:win'])
    equal('meant' in (await find(where, token)).json, false, where)
  equal((await find('room:Room 2', token)).json.meant, 'room:"Room 1" 2')
})

test('a limited caller finds and counts only its own computers, whatever it asks for', async () => {
  const { token } = await lab.addToken('limited', 'read')
  for (const [where, expected] of queries) {
    const own = expected.filter(ip => ip === one || ip === two)
    const { json } = await find(where, token)
    equal([json.total, json.computers.map(({ client }: { client: string }) => client)], [own.length, own], where)
  }
})

test.run()
