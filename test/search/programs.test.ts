// `GET /software?search=`: programs of many computers with their versions, by room, within the caller's rights.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startInventoryLab, takeInventory } from '../harness/inventory-lab.ts'

const lab = await startInventoryLab('127.0.38')
const third = lab.addresses[2] ?? ''
await takeInventory(lab, third, {}, 'mem=8 GiB\n', 'Debian\nBlender 3.6.2\nBlender 3.6.2\nsecret tool 1.0\nplain\n')
const { token } = await lab.addToken('limited', 'read')

const search = async (query: Record<string, string>, headers = {}) =>
  lab.call(`GET /software?${new URLSearchParams(query)}`, undefined, headers)

const test = suite('programs of many computers')
test.after(() => lab.stop())

const rooms = [
  { room: 1, name: 'Room 1', center: 'Center' },
  { room: 2, name: 'Second', center: 'Center' },
]

test('a program has its versions, and each computer counts once', async () => {
  const { json } = await search({ search: 'BLENDER' })
  equal(json, {
    programs: [
      {
        name: 'Blender',
        computers: 3,
        versions: [
          { version: '2.83.5-1', computers: 1 },
          { version: '3.6.2', computers: 3 },
        ],
        rooms: [
          { room: 1, computers: 2 },
          { room: 2, computers: 1 },
        ],
      },
    ],
    rooms,
  })
})

test('a line without a version is a program, too', async () => {
  const { json } = await search({ search: 'plai*' })
  equal(json.programs, [
    { name: 'plain', computers: 1, versions: [{ computers: 1 }], rooms: [{ room: 2, computers: 1 }] },
  ])
})

test('a query says on which computers', async () => {
  const { json } = await search({ search: 'blender', where: 'name:lab-r01-1' })
  equal(json.programs[0].versions, [{ version: '3.6.2', computers: 1 }])
})

test('pages do not divide the versions of a program, unless it has more than a page', async () => {
  const names: string[][] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { json } = await search({ search: '*', limit: '3', after })
    names.push(json.programs.map(({ name }: { name: string }) => name))
    after = json.next
  }
  equal(names, [
    ['Blender', 'GIMP'],
    ['plain', 'secret tool'],
  ])
  const { json } = await search({ search: '*', limit: '1' })
  equal([json.programs[0].versions, json.next], [[{ version: '2.83.5-1', computers: 1 }], 'Blender 2.83.5-1'])
})

test('a limited caller neither sees nor counts what other computers have', async () => {
  const { json } = await search({ search: '*' }, { Authorization: token })
  equal(
    json.programs.map(({ name, computers }: { name: string; computers: number }) => [name, computers]),
    [
      ['Blender', 2],
      ['GIMP', 1],
    ],
  )
  equal(json.rooms, rooms.slice(0, 1))
})

test('without a search a partition is read, as before', async () => {
  const place = { client: [third], disk: 1, partition: 1 }
  is((await lab.call('GET /software', place)).json.software.length, 4)
  const { status, headers } = await lab.call('GET /software')
  is(status, 400)
  is(headers['x-reason'], 'payload: expected client, disk and partition, or a query with search')
  match(
    String((await search({ search: 'x', where: 'rom:x' })).headers['x-reason']),
    /^where: at 1: there is no field rom/,
  )
})

test.run()
