// What can be written in queries, by `GET /search/fields` and `GET /search/values`, within the caller's rights.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

export const runs = { postgres: true }

const lab = await startLab({ subnet: '127.0.33', rooms: true, repository: true })
const [one, three] = ['127.0.33.1', '127.0.33.3']
await lab.status('POST /room/update', { room: 1, name: 'Room 1', tags: ['exam'] })
await lab.status('POST /room/update', { room: 2, name: 'Secret room', tags: ['secret'] })
await lab.status('POST /client/update', { ip: one, name: 'lab-r01-1', tags: ['cad', 'nocad'] })
const agent = await lab.agent(one, { refresh: { status: 200, body: {} } })
const place = { disk: '1', partition: '1' }
const software = 'Windows 11\nBlender 3.6.2\nBlender 4.1\n7-Zip 23.01 (x64)\nMy blender tools\n'
const disk = { disk: '1', partition: '0', code: '2', filesystem: '', os: '', size: '99', used_size: '0' }
await lab.command(
  one,
  agent,
  'POST /refresh',
  {},
  {
    disk_setup: [disk],
    partition_setup: [{ ...disk, partition: '1', code: '7', filesystem: 'NTFS', os: 'Windows 11' }],
  },
)
await lab.command(one, agent, 'POST /software', place, { partition: '1', software })
const loggedIn = lab.event('session-login')
agent.event('start', 'Anna')
await loggedIn

const ask = (field: string, prefix = '', token?: string) =>
  lab.call(
    `GET /search/values?field=${field}&prefix=${encodeURIComponent(prefix)}`,
    undefined,
    token === undefined ? {} : { Authorization: token },
  )
const values = async (field: string, prefix?: string, token?: string) => (await ask(field, prefix, token)).json.values

const test = suite('completion of queries')
test.after(() => lab.stop())

test('every field has the operators that it takes', async () => {
  const { json } = await lab.call('GET /search/fields')
  const byName = Object.fromEntries(json.fields.map((field: { name: string }) => [field.name, field]))
  equal(byName.room.operators, [':', '='])
  equal([byName.ram.operators, byName.ram.example], [[':', '=', '<', '<=', '>', '>='], 'ram<8GB'])
  equal([byName.software.operators, byName.software.hasVersion, byName.room.hasVersion], [[':', '='], true, false])
  equal(byName.group.operators, [':', '='])
})

const cases: [field: string, prefix: string, expected: string[]][] = [
  ['room', '', ['Room 1', 'Secret room']],
  ['room', 'ROOM', ['Room 1', 'Secret room']],
  ['tag', 'cad', ['cad', 'nocad']],
  ['state', 'off', ['off']],
  ['user', '', ['Anna']],
  ['software', 'blender', ['Blender', 'My blender tools']],
  ['software', '7', ['7-Zip']],
  ['os', 'win', ['Windows 11']],
  ['name', 'lab-', ['lab-r01-1']],
  ['maintenance', '', ['no', 'yes']],
  ['ram', '', []],
  ['tag', '%', []],
]
for (const [field, prefix, expected] of cases) {
  test(`values of ${field} with "${prefix}" are those that there are`, async () => {
    equal(await values(field, prefix), expected)
  })
}

test('a field that does not exist is refused', async () => {
  for (const field of ['rom', 'constructor']) {
    const { status, headers } = await ask(field)
    is(status, 400)
    match(String(headers['x-reason']), /^field: there is no field (rom|constructor)$/)
  }
})

test('a limited caller is offered nothing that only others have', async () => {
  const { token } = await lab.addToken('limited', 'read')
  equal(await values('room', '', token), ['Room 1'])
  equal(await values('tag', '', token), ['cad', 'exam', 'nocad'])
  const { json } = await lab.call('GET /search/fields', undefined, { Authorization: token })
  for (const { name } of json.fields) {
    const offered = JSON.stringify(await values(name, '', token))
    is(offered.includes(three) || /secret/i.test(offered), false, name)
  }
})

test.run()
