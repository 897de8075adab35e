// What `GET /search` says of the computers that it finds: chosen columns, their order, CSV.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startInventoryLab } from '../harness/inventory-lab.ts'

const lab = await startInventoryLab('127.0.36')
const [one = '', two = '', three = '', four = ''] = lab.addresses
const token = (await lab.addToken('limited', 'read')).token

const search = (query: Record<string, string>, headers = {}) =>
  lab.call(`GET /search?${new URLSearchParams(query)}`, undefined, headers)

const test = suite('columns of computers')
test.after(() => lab.stop())

test('without columns name, room, center and state are shown', async () => {
  const { json } = await search({ where: 'name:lab-r01-1' })
  equal(json.computers, [{ client: one, name: 'lab-r01-1', room: 'Room 1', center: 'Center', state: 'off' }])
})

test('every column shows what is known, and no more', async () => {
  const columns = 'name,os,ram,disk,cpu,model,serial,tags,image,user,maintenance,software:blender'
  const { json } = await search({ columns, where: 'room:"Room 1" or ip:*.4' })
  const common = { tags: [], image: [], maintenance: false }
  equal(json.computers, [
    {
      ...common,
      client: one,
      name: 'lab-r01-1',
      os: ['Windows 11 Pro'],
      ram: 15_872,
      disk: 465 * 1024,
      cpu: 'Intel Core i5-12400',
      tags: ['cad', 'left'],
      'software:blender': ['Blender 3.6.2'],
    },
    {
      ...common,
      client: two,
      name: 'lab-r01-2',
      os: ['Debian 13'],
      ram: 3891,
      disk: 232 * 1024,
      model: 'OptiPlex 7010',
      serial: '=1+1',
      'software:blender': ['Blender 2.83.5-1', 'Blender 3.6.2'],
    },
    { ...common, client: four, name: `pc-${four}`, os: [], maintenance: true, 'software:blender': [] },
  ])
})

test('CSV has a line for each computer, and no cell that a spreadsheet calculates', async () => {
  const { text, headers } = await search({ format: 'csv', columns: 'name,serial,tags,ram,maintenance', sort: '-ram' })
  match(String(headers['content-type']), /^text\/csv/)
  equal(text.split('\r\n'), [
    'name,serial,tags,ram,maintenance',
    'lab-r01-1,,cad; left,15872,no',
    "lab-r01-2,'=1+1,,3891,no",
    `pc-${three},,,,no`,
    `pc-${four},,,,yes`,
    '',
  ])
})

test('pages keep the order that is asked for', async () => {
  const clients: string[] = []
  for (let after = '0'; after !== ''; ) {
    const { json } = await search({ sort: '-client', limit: '3', after })
    clients.push(...json.computers.map(({ client }: { client: string }) => client))
    after = json.next ?? ''
  }
  equal(clients, [four, three, two, one])
})

test('unknown columns are refused with the names of all', async () => {
  for (const [key, value] of [
    ['columns', 'name,romm'],
    ['sort', 'constructor'],
  ] as const) {
    const { status, headers } = await search({ [key]: value })
    is(status, 400)
    match(String(headers['x-reason']), new RegExp(`^${key}: expected client, name, .*software:TEXT, got \\w+$`))
  }
})

test('a limited caller gets its own computers only', async () => {
  const { text } = await search(
    { format: 'csv', columns: 'client', sort: '-software:blender' },
    { Authorization: token },
  )
  equal(text, `client\r\n${one}\r\n${two}\r\n`)
})

test.run()
