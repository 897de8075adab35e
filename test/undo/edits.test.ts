// Edits that are taken back: former values, what later edits have set, and what is shown of them.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true, boot: true })
const { fleet, remove } = openShellOf(lab)
const ips = [1, 2].map(number => `127.0.43.${number}`)
const [one = '', two = ''] = ips
const room = await lab.add('POST /room/add', { name: 'Studio', netmask: '255.255.255.0', center: 1 })
await lab.addComputer(one, { name: 'pc-1', mac: '020000000041', boot: '12', room })
await lab.addComputer(two, { name: 'pc-2', mac: '020000000042', room })

const changes = async () => (await lab.call('GET /undo')).json.changes
const undoOf = async (route: string, payload: object, call = lab.call) => {
  const { status, headers } = await call(route, payload)
  is(status, 200, String(headers['x-reason']))
  return Number(headers['x-undo-id'])
}

const test = suite('undo of edits')
test.after(async () => {
  remove()
  await lab.stop()
})

test('an edit of a computer or a room is taken back with its boot files, and can be done again', async () => {
  const taken = async () => (await lab.call('POST /undo', {})).json.undone
  const before = JSON.stringify(lab.files())
  await undoOf('POST /client/update', { ip: one, mac: '020000000049', name: 'pc-one' })
  ok(JSON.stringify(lab.files()) !== before)
  const [{ kind, record, name, counts, fields, what }] = await changes()
  equal([kind, name, counts, fields], ['computer', 'pc-one', { changed: 1 }, ['name', 'mac']])
  equal([what, record > 0], ['computer pc-one changed: name, mac', true])
  const { audit } = (await lab.call('GET /audit')).json
  equal([audit.at(-1).route, audit.at(-1).undo], ['POST /client/update', (await changes())[0].id])
  is((await taken()).what, what)
  is(JSON.stringify(lab.files()), before)
  is((await changes())[0].what, 'undo of computer pc-1 changed: name, mac')
  await taken()
  is((await changes())[0].what, 'redo of computer pc-one changed: name, mac')
  await taken()
  is((await changes())[0].what, 'undo of computer pc-1 changed: name, mac')
  const undo = await undoOf('POST /room/update', { room, gateway: '127.0.43.254', name: 'Hall' })
  const changed = lab.event('room-changed')
  equal(await fleet('undo', String(undo)), {
    code: 0,
    out: `Taken back: room Hall changed: name, gateway; take it back with: fleet undo ${undo + 1}\n`,
    error: '',
  })
  is((await changed).room, room)
  is(JSON.stringify(lab.files()), before)
  const first = await undoOf('POST /client/update', { ip: one, name: 'first' })
  const second = await undoOf('POST /client/update', { ip: one, name: 'second' })
  const refused = await lab.call('POST /undo', { id: first })
  is(refused.status, 409)
  const sinceThen = new RegExp(`^overwrite: expected true, .* since: name: set by admin, \\S+Z \\(change ${second}\\)$`)
  match(String(refused.headers['x-reason']), sinceThen)
  const { headers: back } = await lab.call('POST /undo', { id: first, overwrite: true })
  is(back['x-warning'], undefined)
  const third = await undoOf('POST /client/update', { ip: one, name: 'third' })
  const fourth = await undoOf('POST /client/update', { ip: one, name: 'fourth' })
  await lab.call('POST /undo', { id: fourth })
  is((await lab.call('POST /undo', { id: third })).status, 200)
  await undoOf('POST /tags/update', { clients: ips, add: ['cad'] })
  is((await changes())[0].what, '2 computers changed: tags (pc-1 and others)')
  await taken()
  const { status, headers } = await lab.call('POST /tags/update', { clients: ips, remove: ['cad'] })
  equal([status, headers['x-undo-id']], [200, undefined])
})

test('of an edit of many computers also that of one which is not named was changed since', async () => {
  const many = Array.from({ length: 25 }, (_, at) => `127.0.43.${at + 101}`)
  for (const [at, ip] of many.entries()) await lab.addComputer(ip, { name: `many-${at}`, room })
  const tagged = await undoOf('POST /tags/update', { clients: many, add: ['exam'] })
  const named = await undoOf('POST /client/update', { ip: many[24], name: 'last' })
  is((await lab.call(`GET /undo?id=${tagged}`)).json.changes[0].later, undefined)
  const { token } = (await lab.call('POST /token/add', { name: 'helper', role: 'admin' })).json
  const callOther: typeof lab.call = (route, payload) => lab.call(route, payload, { Authorization: token })
  const other = await undoOf('POST /tags/update', { clients: many.slice(24), add: ['door'] }, callOther)
  const [{ later }] = (await lab.call(`GET /undo?id=${tagged}`)).json.changes
  // The first edit has too many values to know that one.
  equal(later, [{ id: other, at: later[0].at, by: 'token helper', fields: ['tags'], names: ['last'], changes: [] }])
  is((await lab.call('POST /undo', { id: tagged })).status, 409)
  for (const id of [other, tagged, named]) is((await lab.call('POST /undo', { id, overwrite: true })).status, 200)
  is((await lab.call('POST /client/delete', { clients: many })).status, 200)
})

test('of an import also that what it has added was changed since, unless that was set back', async () => {
  const text = 'name,ip,mac,room\nnew-1,127.0.43.61,020000000061,Studio\nnew-2,127.0.43.62,020000000062,Studio\n'
  const id = await undoOf('POST /client/import', { format: 'csv', text })
  const later = async () => (await lab.call(`GET /undo?id=${id}`)).json.changes[0].later
  const short = await undoOf('POST /client/update', { ip: '127.0.43.61', name: 'short' })
  await lab.call('POST /undo', { id: short })
  is(await later(), undefined)
  const edit = await undoOf('POST /client/update', { ip: '127.0.43.62', serial_number: 'S1' })
  const [{ at, changes, ...since }] = await later()
  equal([since, typeof at], [{ id: edit, by: 'admin', fields: ['serial_number'], names: ['new-2'] }, 'string'])
  const value = { kind: 'computer', field: 'serial_number', name: 'new-2', before: null, after: 'S1' }
  equal(changes, [{ ...value, record: changes[0].record }])
  is((await lab.call('POST /undo', { id })).status, 409)
  is((await lab.call('POST /undo', { id, overwrite: true })).status, 200)
})

test('an edit that changes nothing says so', async () => {
  for (const option of [
    ['--ip', one],
    ['--boot', '12'],
  ]) {
    const { out } = await fleet('computer', 'edit', one, ...option)
    match(out, /^Computer \S+ stays as it is: nothing is to change\n$/)
  }
})

test('an edit says value by value what comes back, with names in place of ids', async () => {
  const other = await lab.add('POST /room/add', { name: 'Lab', netmask: '255.255.255.0', center: 1 })
  const undo = await undoOf('POST /client/move', { clients: ips, room: other })
  const [{ changes: moves }] = await changes()
  equal(
    moves.map(({ kind, name, field, before, after }: Record<string, string>) => [kind, name, field, before, after]),
    [
      ['computer', 'pc-1', 'room', 'Studio', 'Lab'],
      ['computer', 'pc-2', 'room', 'Studio', 'Lab'],
    ],
  )
  match(
    (await fleet('undo', 'show', String(undo))).out,
    /\n *OF +WHAT +COMES BACK.*\n *computer pc-1 +room +Studio +Lab\n/,
  )
  await lab.call('POST /undo', { id: undo })
})

test('the time of a schedule comes back whole, in whatever order its edits are taken back', async () => {
  const evening = { years: 0xffff_ffff, months: 0xfff, weeks: 0, days: 0, am_pm: 1, minutes: 0 }
  const first = { ...evening, week_days: 1 << 5, hours: 1 << 10 }
  const [later, sunday] = [
    { ...first, hours: 1 << 11, minutes: 30 },
    { ...first, week_days: 1 << 6, hours: 1 << 11, minutes: 30 },
  ]
  const task = await lab.add('POST /task/add', { center: '1', name: 'Renew', clients: [one] })
  const schedule = { task: String(task), type: 'task', name: 'Renew' }
  const id = String(await lab.add('POST /schedule/create', { ...schedule, when: first }))
  const [edit, other] = [
    await undoOf('POST /schedule/update', { ...schedule, id, when: later }),
    await undoOf('POST /schedule/update', { ...schedule, id, when: sunday }),
  ]
  const whenNow = async () => (await lab.call('GET /schedules')).json.schedules[0].when
  match(
    (await fleet('undo', String(edit))).error,
    new RegExp(`--yes.*: Take back the .*; overwrites when, which admin has changed since, .* \\(${other}\\)\n$`),
  )
  match((await fleet('undo', 'show', String(edit))).out, 'overwrites when, which admin has changed since')
  const { out, error } = await fleet('undo', String(edit), '--yes')
  is(error, '')
  match(
    out,
    /^Taken back: schedule Renew changed: time\nRenew \(schedule 1\) fires every Saturday at 22:00\nnext: 20.* 22:00/,
  )
  equal(await whenNow(), first)
  match((await fleet('undo', 'show', String(other))).out, /when +every Saturday at 23:30 +every Sunday at 23:30/)
  match((await fleet('undo', String(other), '--yes')).out, 'fires every Saturday at 23:30\n')
  equal(await whenNow(), later)
})

test('the edit of what is deleted since is not taken back: its deletion is before', async () => {
  const id = await lab.add('POST /room/add', { name: 'Short', netmask: '255.255.255.0', center: 1 })
  const edit = await undoOf('POST /room/update', { room: id, name: 'Shorter' })
  const computer = await undoOf('POST /client/update', { ip: two, name: 'pc-two' })
  const deletions = [
    await undoOf('POST /room/delete', { id: String(id) }),
    await undoOf('POST /client/delete', { clients: [two] }),
  ]
  for (const each of [edit, computer]) {
    const { status, headers } = await lab.call('POST /undo', { id: each })
    is(status, 400)
    match(String(headers['x-reason']), /what was edited is deleted: take its deletion back before$/)
  }
  for (const each of [...deletions, edit, computer]) is((await lab.call('POST /undo', { id: each })).status, 200)
})

test.run()
