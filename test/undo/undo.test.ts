// Deletions and imports that are taken back: what is there again, who may, and for how long.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { describeChange } from '../../host/undo/describe-change.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { inside, startLab } from '../harness/lab.ts'

const clock = createManualClock('2026-03-02T08:00:00Z')
const lab = await startLab({ scope: true, boot: true, clock })
const { fleet, remove } = openShellOf(lab)
const [here = ''] = inside
const ips = [1, 2].map(number => `127.0.41.${number}`)
const [one = '', two = ''] = ips
const mac = '020000000041'
const room = await lab.add('POST /room/add', { name: 'Studio', netmask: '255.255.255.0', center: 1 })
await lab.addComputer(one, { name: 'pc-1', mac, boot: '12', room })
await lab.addComputer(two, { name: 'pc-2', mac: '020000000042', room })
const agent = await lab.agent(one, { auto: { '/refresh': { status: 200 } } })

const namesOf = async (addrs = ips) => {
  const answers = addrs.map(client => lab.call('GET /client/info', { client: [client] }))
  return (await Promise.all(answers)).map(({ json }) => json?.name)
}
const filesOfOne = () => Object.keys(lab.files()).filter(name => name.includes('41')).length
const changes = async (call = lab.call) => (await call('GET /undo')).json.changes
const undoOf = async (route: string, payload: object, call = lab.call) => {
  const { status, headers } = await call(route, payload)
  is(status, 200, String(headers['x-reason']))
  return Number(headers['x-undo-id'])
}

const test = suite('undo')
test.after(async () => {
  remove()
  await lab.stop()
})

test('a deleted room is back with its computers, their boot files, inventories and histories', async () => {
  const setHardware = async (lines: string) => {
    await lab.call('POST /hardware', { clients: [one] })
    await agent.next('/hardware')
    const ended = lab.event('command-ended', { addr: one })
    agent.answer(200, { hardware: lines })
    await ended
  }
  await setHardware('mem=8 GB')
  await setHardware('mem=16 GB')
  const history = (await lab.call(`GET /inventory/history?client=${one}`)).json
  is(history.changes.length, 1)
  await lab.call('POST /shell/run', { clients: [one], run: 'true', echo: true })
  await agent.next('/shell/run')
  const failed = lab.event('job-part', { addr: one })
  agent.answer(500)
  await failed
  const failures = async () => (await lab.call('GET /failures')).json.failures
  const before = await failures()
  is(before.length, 1)
  const files = filesOfOne()
  ok(files > 0)
  const undo = await undoOf('POST /room/delete', { id: String(room) })
  equal([filesOfOne(), await namesOf()], [0, [undefined, undefined]])
  equal(await failures(), [])
  const [{ at, expires, ...entry }] = await changes()
  equal([at, expires], ['2026-03-02T08:00:00.000Z', '2026-04-01T08:00:00.000Z'])
  const counts = { rooms: 1, computers: 2 }
  const what = 'room Studio with 2 computers'
  equal(entry, { id: undo, by: 'admin', kind: 'room', record: room, name: 'Studio', counts, what })
  match(
    (await fleet('undo', 'show', String(undo))).out,
    /^room Studio with 2 computers, by .*\ncomes back: room Studio\ncomes back: 2 computers: pc-\[1-2\]\n$/,
  )
  const added = lab.event('computer-added')
  equal((await lab.call('POST /undo', { id: undo })).json.undone.what, what)
  equal(
    (await added).computers,
    ips.map(ip => ({ ip, room })),
  )
  equal([filesOfOne(), await namesOf()], [files, ['pc-1', 'pc-2']])
  equal((await lab.call(`GET /inventory/history?client=${one}`)).json, history)
  equal((await lab.call('GET /hardware', { client: [one] })).json.hardware[0].description, '16 GB')
  equal(await failures(), before)
  equal(await changes(), [])
})

test('what cannot be taken back is refused with the reason, and stays', async () => {
  const undo = await undoOf('POST /client/delete', { clients: [one] })
  await lab.addComputer(one, { name: 'other', room })
  const { status, headers } = await lab.call('POST /undo', { id: undo })
  equal([status, headers['x-reason']], [400, `computer pc-1: ${one} is the address of other in room Studio now`])
  await lab.call('POST /client/delete', { clients: [one] })
  is((await lab.call('POST /undo', { id: 999 })).status, 400)
  is((await lab.call('POST /undo', { id: undo })).status, 200)
  equal(await namesOf(), ['pc-1', 'pc-2'])
})

test('what has got its name meanwhile keeps it, and a warning says what the other one is called', async () => {
  const add = () => lab.add('POST /procedure/add', { center: '1', name: 'Maint' })
  const procedure = await add()
  const undo = await undoOf('POST /procedure/delete', { id: String(procedure) })
  await add()
  equal(await fleet('undo', String(undo)), {
    code: 0,
    out: 'Procedure Maint is back\n',
    error: 'fleet: warning: procedure Maint has the name Maint (2) now, for Maint is taken\n',
  })
  const { procedures } = (await lab.call('GET /procedures')).json
  equal(procedures.find(({ id }: { id: number }) => id === procedure).name, 'Maint (2)')
})

test('fleet undo show names the address of a new computer whose name another one has', async () => {
  const text = `name,ip,mac,room\npc-2,127.0.41.4,020000000044,Studio\n`
  const undo = await undoOf('POST /client/import', { format: 'csv', text, update: true })
  match((await fleet('undo', 'show', String(undo))).out, /is deleted: computer pc-2 \(127\.0\.41\.4\)\n$/)
  is((await fleet('undo', String(undo), '--yes')).code, 0)
})

test('a schedule that is suspended and resumed is listed with these words', () => {
  const wordOf = (after: boolean, undone: number) => {
    const base = { kind: 'schedule', record: 1, name: 'Night' }
    const changes = [{ ...base, field: 'suspended', before: !after, after }]
    const item = { ...base, id: 1, at: 0, by: 'ann', account: '', counts: { changed: 1, undone }, changes }
    return describeChange({ ...item, fields: ['suspended'] }, () => undefined, { directory: '', keep_days: 1 }).what
  }
  equal([wordOf(true, 0), wordOf(false, 0)], ['schedule Night suspended', 'schedule Night resumed'])
  equal([wordOf(false, 1), wordOf(true, 2)], ['undo of schedule Night suspended', 'redo of schedule Night suspended'])
})

test('fleet undo lists what can be taken back, and does it', async () => {
  const text = `name,ip,mac,room\npc-3,127.0.41.3,020000000043,Studio\nnew name,${two},020000000042,Studio\n`
  const undo = await undoOf('POST /client/import', { format: 'csv', text, update: true })
  const table = (await fleet('undo')).out
  const both = '1 new computer and 1 changed computer (pc-3 and others)'
  match(table, new RegExp(`\\b${undo} .*import of ${both.replace(/[()]/g, '\\$&')}`))
  match((await fleet('undo', 'show', String(undo))).out, /^import of .*\nis deleted: computer pc-3\n *OF +WHAT/)
  const refused = await fleet('undo', String(undo))
  match(refused.error, /^fleet: undo: expected --yes, .*: Take back the import of .*: what it added is deleted\n$/)
  equal([refused.code, await namesOf([two, '127.0.41.3'])], [2, ['new name', 'pc-3']])
  equal(await fleet('undo', String(undo), '--yes'), {
    code: 0,
    out: `Import of ${both} is taken back; take it back with: fleet undo ${undo + 1}\n`,
    error: '',
  })
  equal(await namesOf([two, '127.0.41.3']), ['pc-2', undefined])
  const [{ id, what }] = await changes()
  is(what, 'computer pc-3 with 1 changed computer')
  is((await fleet('undo', String(id))).code, 0)
  equal(await namesOf([two, '127.0.41.3']), ['new name', 'pc-3'])
  is((await fleet('undo', 'pc-3')).code, 2)
  is((await fleet('undo', 'show', '999')).code, 2)
  const { code, error } = await fleet('undo', '999')
  is(code, 1)
  match(error, /there is no change 999 to undo/)
})

test('a user who comes back may log in with the former password', async () => {
  const user = await lab.add('POST /user/add', { name: 'berta', role: 'operate', password: 'correct horse' })
  const login = async () => (await lab.call('POST /login', { name: 'berta', password: 'correct horse' })).status
  is(await login(), 200)
  const undo = await undoOf('POST /user/delete', { id: String(user) })
  is(await login(), 401)
  ok(!JSON.stringify(await changes()).includes('scrypt'))
  is((await lab.call('POST /undo', { id: undo })).status, 200)
  is(await login(), 200)
})

test('a schedule that is back fires at its next time', async () => {
  const everyDay = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff, am_pm: 0 }
  const when = { ...everyDay, hours: 1 << 9, minutes: 0 }
  const schedule = await lab.add('POST /schedule/command', {
    clients: [here],
    command: 'wol',
    params: { type: 'unicast' },
    when,
  })
  const undo = await undoOf('POST /schedule/delete', { id: String(schedule) })
  await lab.call('POST /undo', { id: undo })
  const created = lab.event('job-created', { origin: 'schedule' })
  await clock.advance(86_400_000)
  is((await created).name, 'wol')
  await lab.call('POST /schedule/delete', { id: String(schedule) })
})

test('who is limited may take back what it has deleted, and nothing else; readers nothing', async () => {
  const limited = await lab.addToken('limited', 'admin')
  const helper = await lab.addToken('helper', 'operate')
  const others = await undoOf('POST /client/delete', { clients: [two] })
  const own = await undoOf('POST /client/delete', { clients: [here] }, limited.call)
  const ids = async (call: typeof lab.call) => (await changes(call)).map(({ id }: { id: number }) => id)
  equal([await ids(limited.call), await ids(helper.call)], [[own], []])
  ok((await ids(lab.call)).includes(own))
  is((await limited.call('POST /undo', { id: others })).status, 403)
  is((await helper.call('POST /undo', { id: own })).status, 403)
  await lab.addComputer(here, { name: 'secret', room })
  const refused = async (call: typeof lab.call) => (await call('POST /undo', { id: own })).headers['x-reason']
  match(String(await refused(limited.call)), /^computer \S+: address taken$/)
  match(String(await refused(lab.call)), /is the address of secret in room Studio now$/)
  await lab.call('POST /client/delete', { clients: [here] })
  equal((await limited.call('POST /undo', {})).json.undone.id, own)
  is((await lab.call('GET /client/info', { client: [here] })).status, 200)
})

test('the audit log says who has taken something back', async () => {
  const { audit } = (await lab.call('GET /audit?limit=1000')).json
  ok(
    audit.some(({ who, route, status }: Record<string, unknown>) => {
      return who === 'token limited' && route === 'POST /undo' && status === 200
    }),
  )
})

test('after 30 days it cannot be taken back any more', async () => {
  ok((await changes()).length > 0)
  await clock.advance(31 * 86_400_000)
  const left = async (): Promise<number> => (await changes()).length
  for (let tries = 0; (await left()) > 0 && tries < 100; tries += 1) await clock.advance(3_600_000)
  equal(await changes(), [])
})

test.run()
