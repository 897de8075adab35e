// What the audit log says of imports, and of what was taken back or could not be: with names, and reasons as codes.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
await lab.addComputer('10.0.9.1', { name: 'first' })

const test = suite('audited undos')
test.after(() => lab.stop())

const row = (number: number) => `pc-${number},10.0.9.${number},0200000009${String(number).padStart(2, '0')}\n`
const textOf = (first: number, last: number) =>
  `name,ip,mac\n${Array.from({ length: last - first + 1 }, (_, at) => row(first + at)).join('')}`

const last = async () => (await lab.call('GET /audit')).json.audit.at(-1)

async function importComputers(first: number, to: number): Promise<number> {
  const { status, headers } = await lab.call('POST /client/import', {
    ...{ format: 'csv', text: textOf(first, to), room: 1, dry_run: false },
  })
  is(status, 200)
  return Number(headers['x-undo-id'])
}

test('an import has the names of its computers, and so has what takes it back', async () => {
  const id = await importComputers(11, 13)
  const imported = await last()
  equal([imported.undo, imported.change.counts], [id, { added: 3 }])
  equal(imported.change.names, ['pc-11', 'pc-12', 'pc-13'])
  await lab.call('POST /undo', { id })
  const { undoes, change } = await last()
  equal([undoes, change.kind, change.names], [id, 'import', ['pc-11', 'pc-12', 'pc-13']])
})

test('a record has 50 names at most', async () => {
  await importComputers(20, 79)
  const { change } = await last()
  equal([change.counts.added, change.names.length, change.names[49]], [60, 50, 'pc-69'])
  await lab.call('POST /client/move', { clients: ['10.0.9.20', '10.0.9.21'], room: 1 })
  is((await last()).change, undefined)
})

test('a room that is deleted has its computers named, and a single computer has no list', async () => {
  await lab.call('POST /client/delete', { clients: ['10.0.9.20'] })
  is((await last()).change.names, undefined)
  await lab.call('POST /room/delete', { id: '1' })
  const { change } = await last()
  equal(change.names.slice(0, 3), ['Room', 'first', 'pc-21'])
  await lab.call('POST /undo', {})
  equal((await last()).change.names.slice(0, 2), ['Room', 'first'])
})

test('a refused undo says what it was about, and why, also as a code', async () => {
  const { headers } = await lab.call('POST /room/update', { room: 1, location: 'Attic' })
  await lab.call('POST /room/update', { room: 1, location: 'Cellar' })
  const id = Number(headers['x-undo-id'])
  const refused = await lab.call('POST /undo', { id })
  equal([refused.status, refused.headers['x-reason-code']], [409, 'code=undo-later&by=admin&fields=location'])
  const { status, undoes, change, cause } = await last()
  equal([status, undoes, change.changes[0].after], [409, id, 'Attic'])
  equal(cause, { code: 'undo-later', by: 'admin', fields: 'location' })
  const unknown = await lab.call('POST /undo', { id: 999 })
  is(unknown.headers['x-reason-code'], 'code=undo-gone&id=999')
  equal((await last()).cause, { code: 'undo-gone', id: 999 })
  const wrong = await lab.call('POST /room/update', { room: 77, name: 'x' })
  is(wrong.headers['x-reason-code'], undefined)
})

test('what an undo would replace has its values, for callers without limits', async () => {
  const { changes } = (await lab.call('GET /undo')).json
  const { id } = changes.find(
    ({ changes: [value] = [{}] }: { changes: { after?: string }[] }) => value?.after === 'Attic',
  )
  const [{ later }] = (await lab.call(`GET /undo?id=${id}`)).json.changes
  equal(later[0].changes, [{ kind: 'room', record: 1, field: 'location', name: 'Room', before: '', after: 'Cellar' }])
})

test('a caller with limits gets who has changed what later, but not the values: these may be outside the limits', async () => {
  const addRoom = async (name: string) => {
    const { headers } = await lab.call('POST /room/add', { name, netmask: '255.255.255.0', center: 1 })
    return Number(headers['x-id'])
  }
  const [near, far] = [await addRoom('Near'), await addRoom('Far')]
  const { json } = await lab.call('POST /token/add', { name: 'limited', role: 'admin', rooms: [1, near] })
  const own = { Authorization: json.token }
  const clients = ['10.0.9.21']
  const { headers, status } = await lab.call('POST /client/move', { clients, room: near }, own)
  is(status, 200)
  await lab.call('POST /client/move', { clients, room: far })
  const laterFor = async (caller?: typeof own) =>
    (await lab.call(`GET /undo?id=${headers['x-undo-id']}`, undefined, caller)).json.changes[0].later[0]
  const { by, fields, changes } = await laterFor(own)
  equal([by, fields, changes], ['admin', ['room'], undefined])
  const [{ before, after }] = (await laterFor()).changes
  equal([before, after], ['Room', 'Far'])
})

test('an undo, and a refused request, are announced', async () => {
  const [undone, refused] = [lab.event('change-undone'), lab.event('write-refused')]
  const { headers } = await lab.call('POST /room/update', { room: 1, gateway: '10.0.9.254' })
  await lab.call('POST /undo', {})
  const { change, maker, who } = await undone
  equal([change, maker, who], [Number(headers['x-undo-id']), 'admin', 'admin'])
  await lab.call('POST /room/update', { room: 77, name: 'x' })
  equal(await refused, { type: 'write-refused' })
})

test('a refused adoption has its reason as a code', async () => {
  const { headers } = await lab.call('POST /client/adopt', { clients: ['10.0.9.9', '10.0.9.10'], room: 1 })
  is(headers['x-reason-code'], 'code=adopt-away&client=10.0.9.9&more=1')
  equal((await last()).cause, { code: 'adopt-away', client: '10.0.9.9', more: 1 })
})

test.run()
