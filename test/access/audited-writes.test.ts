// What the audit log takes for a write, and for its clients.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { AuditRecord } from '../../host/contract/services.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
await lab.addComputer('127.0.0.2')

/** The records since `work` began. */
async function recordsOf(work: () => Promise<unknown>): Promise<AuditRecord[]> {
  const { json: before } = await lab.call('GET /audit?limit=1000')
  await work()
  return (await lab.call(`GET /audit?after=${before.next}`)).json.audit
}

const test = suite('writes of the audit log')
test.after(() => lab.stop())

test('a preview of an import has no record, the import itself has one', async () => {
  const text = 'name,ip,mac,room\npc-9,127.3.0.9,00:1b:21:0a:0b:09,Room\n'
  const records = await recordsOf(async () => {
    is((await lab.call('POST /client/import', { format: 'csv', text, dry_run: true })).json.added, 1)
    is((await lab.call('POST /client/import', { format: 'csv', text: 'no table', dry_run: true })).status, 200)
    is((await lab.call('POST /client/import', { format: 'csv', text, dry_run: false })).json.added, 1)
  })
  equal(
    records.map(({ route, status }) => [route, status]),
    [['POST /client/import', 200]],
  )
})

test('a preview of what computers would get has no record, a refused one has', async () => {
  const records = await recordsOf(async () => {
    is((await lab.call('POST /poweroff?dry_run=1', { clients: ['127.0.0.2'] })).status, 200)
    await lab.call('POST /poweroff?dry_run=1', { clients: ['127.0.0.2'] }, { Authorization: 'wrong' })
    await lab.call('POST /center/add?dry_run=1', { name: 'Chemistry' })
  })
  equal(
    records.map(({ route, status }) => [route, status]),
    [
      ['POST /poweroff', 401],
      ['POST /center/add', 200],
    ],
  )
})

test('of the addresses of a payload only those of computers are clients of a record', async () => {
  const records = await recordsOf(async () => {
    await lab.call('POST /repository/add', { name: 'second', ip: '127.3.0.9' })
    await lab.call('POST /client/update', { ip: '127.0.0.2', maintenance: true })
  })
  equal(
    records.map(({ route, clients, count }) => [route, clients, count]),
    [
      ['POST /repository/add', [], 0],
      ['POST /client/update', ['127.0.0.2'], 1],
    ],
  )
})

test('the name of what is added is recorded, not that of a refused request', async () => {
  const records = await recordsOf(async () => {
    await lab.call('POST /center/add', { name: 'Physics' })
    await lab.call('POST /center/add', { name: 'Physics', unknown: 1 })
    await lab.call('POST /poweroff', { clients: ['127.0.0.2'] })
  })
  equal(
    records.map(({ name }) => name),
    ['Physics', undefined, undefined],
  )
})

test('what is deleted, edited, taken back and stopped is recorded in words, and why a request was refused', async () => {
  const records = await recordsOf(async () => {
    const added = await lab.call('POST /room/add', { name: 'Studio', netmask: '255.255.255.0', center: 1 })
    const room = Number(added.headers['x-id'])
    await lab.call('POST /room/update', { room, gateway: '10.0.0.1' })
    await lab.call('POST /room/delete', { id: String(room) })
    await lab.call('POST /undo', {})
    await lab.call('POST /room/delete', { id: '999' })
  })
  equal(
    records.map(({ name, reason }) => name ?? reason),
    ['Studio', 'room Studio changed: gateway (– → 10.0.0.1)', 'room Studio', 'room Studio', 'id: there is no room 999'],
  )
})

test('of a refused request the record has which record it was about, and the short values that it would have set', async () => {
  const records = await recordsOf(async () => {
    await lab.call('POST /room/update', { room: 99, name: 'Lab 1', gateway: '10.0.0.1', unknown: 'secret' })
    await lab.call('POST /client/update', { ip: '127.0.0.2', name: 'a b', mac: 'x'.repeat(65) })
    await lab.call('POST /user/update', { id: '99', name: 'anna', password: 'a password of hers' })
    await lab.call('POST /room/update', { room: 99 }, { Authorization: 'wrong' })
    await lab.call('POST /shell/run', { clients: ['127.9.9.9'], run: 'login --password secret', echo: true })
  })
  equal(
    records.map(({ tried }) => tried),
    [{ room: 99, name: 'Lab 1', gateway: '10.0.0.1' }, { name: 'a b' }, { id: '99' }, undefined, undefined],
  )
})

test('computers that are moved have the names of the rooms in their record', async () => {
  const { headers } = await lab.call('POST /room/add', { name: 'Hall', netmask: '255.255.255.0', center: 1 })
  const room = Number(headers['x-id'])
  const [record] = await recordsOf(() => lab.call('POST /client/move', { clients: ['127.0.0.2', '127.3.0.9'], room }))
  match(String(record?.name), /^2 computers changed: room \(\S+ and others\) \(Room → Hall\)$/)
})

test('a record keeps what was changed, with the names and the values of that time', async () => {
  const { headers } = await lab.call('POST /room/add', { name: 'Old', netmask: '255.255.255.0', center: 1 })
  const room = Number(headers['x-id'])
  const steps = [{ command: 'shell-run', params: { run: 'login --password secret', echo: true } }]
  const procedure = (await lab.call('POST /procedure/add', { center: '1', name: 'Night' })).headers['x-id']
  const records = await recordsOf(async () => {
    await lab.call('POST /client/update', { ip: '127.0.0.2', name: 'pc-2', room })
    await lab.call('POST /room/update', { room, name: 'New', gateway: '10.0.0.1' })
    await lab.call('POST /procedure/update', { procedure, center: '1', name: 'Night', steps })
    await lab.call('POST /room/delete', { id: String(room) })
  })
  await lab.call('POST /undo', {})
  const shown = records.map(({ change: { kind, name, changes = [] } = { kind: 'user', name: '', counts: {} } }) => [
    `${kind} ${name}`,
    ...changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`),
  ])
  equal(shown[0]?.slice(0, 1), ['computer pc-2'])
  match(String(shown[0]?.at(-1)), /^room: \S+ → Old$/)
  equal(shown.slice(1), [
    ['room New', 'name: Old → New', 'gateway:  → 10.0.0.1'],
    ['procedure Night', 'steps: … → …'],
    ['room New'],
  ])
  is(records[1]?.name, 'room New changed: name, gateway (name: Old → New; gateway: – → 10.0.0.1)')
})

test('edits that cannot be taken back are recorded with their values, passwords without', async () => {
  const add = async (kind: string, payload: object) => (await lab.call(`POST /${kind}/add`, payload)).headers['x-id']
  const user = await add('user', { name: 'pepe', role: 'read', password: 'a password of his' })
  const token = (await lab.call('POST /token/add', { name: 'lab', role: 'read' })).json.id
  const group = await add('group', { name: 'Exam', where: 'tag:exam' })
  const repository = await add('repository', { name: 'third', ip: '127.3.0.10' })
  const records = await recordsOf(async () => {
    await lab.call('POST /user/update', { id: user, role: 'operate', rooms: [1], groups: [group].map(Number) })
    await lab.call('POST /user/update', { id: user, name: 'jose', disabled: true, password: 'another one of his' })
    await lab.call('POST /user/update', { id: user, disabled: true })
    await lab.call('POST /token/update', { id: String(token), expires: 4_000_000_000 })
    await lab.call('POST /group/update', { group, clients: ['127.0.0.2'] })
    await lab.call('POST /repository/update', { repository, slots: 3 })
  })
  equal(
    records.map(({ name }) => name),
    [
      'user pepe changed: role, rooms, groups (role: read → operate; rooms: – → Room; groups: – → Exam)',
      'user jose changed: name, password, disabled (name: pepe → jose; disabled: false → true)',
      'user jose',
      'token lab changed: expires (never → 2096-10-02T07:06:40.000Z)',
      'group Exam changed: where, clients (where: tag:exam → –; clients: – → 127.0.0.2)',
      'repository third changed: slots (– → 3)',
    ],
  )
  const [edit] = records
  equal(edit?.change, {
    kind: 'user',
    record: Number(user),
    name: 'pepe',
    counts: { changed: 1 },
    fields: ['role', 'rooms', 'groups'],
    changes: [
      { kind: 'user', record: Number(user), name: 'pepe', field: 'role', before: 'read', after: 'operate' },
      { kind: 'user', record: Number(user), name: 'pepe', field: 'rooms', before: [], after: ['Room'] },
      { kind: 'user', record: Number(user), name: 'pepe', field: 'groups', before: null, after: ['Exam'] },
    ],
  })
  equal(JSON.stringify(records).match(/password of|one of his|scrypt/g), null)
})

test('a record keeps the names that computers had', async () => {
  const records = await recordsOf(async () => {
    await lab.call('POST /poweroff', { clients: ['127.0.0.2', '127.9.9.9'] })
    await lab.call('POST /client/update', { ip: '127.0.0.2', name: 'renamed' })
  })
  equal(
    records.map(({ names }) => names),
    [['pc-2', ''], ['renamed']],
  )
})

test('the record of an undo has the id of what it has taken back, and so has that of a redo', async () => {
  const records = await recordsOf(async () => {
    await lab.call('POST /room/add', { name: 'Short', netmask: '255.255.255.0', center: 1 })
    const { headers } = await lab.call('POST /client/update', { ip: '127.0.0.2', name: 'pc-3' })
    await lab.call('POST /undo', { id: Number(headers['x-undo-id']) })
    await lab.call('POST /undo', {})
    const text = 'name,ip,mac,room\npc-8,127.3.0.8,00:1b:21:0a:0b:08,Short\n'
    await lab.call('POST /client/import', { format: 'csv', text })
    await lab.call('POST /undo', {})
    await lab.call('POST /undo', {})
  })
  const [, edit, undo, redo, added, gone, back] = records
  equal(
    [undo?.undoes, redo?.undoes, gone?.undoes, back?.undoes],
    [edit, undo, added, gone].map(each => each?.undo),
  )
  equal([back?.undo, gone?.change?.kind, back?.change?.kind], [undefined, 'import', 'computer'])
})

test('the job that is cancelled is named', async () => {
  const { headers } = await lab.call('POST /shell/run?queue=1', { clients: ['127.0.0.2'], run: 'true', echo: true })
  const id = String(headers['x-job-id'])
  const [record] = await recordsOf(() => lab.call('POST /job/cancel', { id }))
  is(record?.name, `job ${id}`)
})

test.run()
