// What is said before and after a deletion: schedules that lose all their computers, and what runs and waits there.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { masksOf } from '../../host/schedules/recurrence.ts'
import { message } from '../../host/test-kit/agent-http.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true })
const { fleet, remove } = openShellOf(lab)
const [one = '', two = '', other = ''] = [1, 2, 3].map(number => `127.0.44.${number}`)
const center = await lab.add('POST /center/add', { name: 'Arts' })
const room = await lab.add('POST /room/add', { name: 'Studio', netmask: '255.255.255.0', center })
await lab.addComputer(one, { name: 'pc-1', mac: '020000000041', room })
await lab.addComputer(two, { name: 'pc-2', mac: '020000000042', room })
await lab.addComputer(other, { name: 'pc-3', mac: '020000000043', room: 1 })

const everyDay = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff, am_pm: 0 }
const when = { ...everyDay, hours: 1 << 9, minutes: 0 }
const task = (clients: string[], name: string) => lab.add('POST /task/add', { center: '1', name, clients })
const own = await task([one, two], 'win11')
const mixed = await task([one, other], 'mixed')
const scheduleOf = (id: number, name: string) =>
  lab.add('POST /schedule/create', { task: `${id}`, type: 'task', name, when })
const schedule = await scheduleOf(own, 'win11')
const mixedSchedule = await scheduleOf(mixed, 'mixed')
const others = `still for others: schedule mixed (schedule ${mixedSchedule}) on 1 computer`
const words = `schedule win11 (schedule ${schedule})`

const effects = async (deletion: object) => (await lab.call('GET /deletion', deletion)).json.effects

const test = suite('effects of deletions')
test.after(async () => {
  remove()
  await lab.stop()
})

test('a schedule for a list of computers is named when all of them are deleted, however that is done', async () => {
  equal(await effects({ kind: 'room', id: room }), [`runs on no computer then: ${words}`, others])
  equal(await effects({ kind: 'center', id: center }), [`runs on no computer then: ${words}`, others])
  equal(await effects({ kind: 'computer', clients: [one, two] }), [`runs on no computer then: ${words}`, others])
  const mixed = others.replace('still for others: ', '')
  equal(await effects({ kind: 'computer', clients: [one] }), [`still for others: ${words} on 1 computer, ${mixed}`])
  await lab.call('POST /client/delete', { clients: [two] })
  const unknown = `still for others: ${words} on 1 address without a record, ${mixed}`
  equal(await effects({ kind: 'computer', clients: [one] }), [unknown])
  await lab.call('POST /undo', {})
  const { scope } = (await lab.call('GET /scopes')).json
  const { id } = scope[0].scope[0].scope.find(({ name }: { name: string }) => name === 'pc-3')
  const single = await lab.add('POST /task/add', { center: '1', name: 'one', scope: { type: 'computer', id } })
  const schedule = await scheduleOf(single, 'one')
  equal(await effects({ kind: 'computer', clients: [other] }), [
    `runs on no computer then: schedule one (schedule ${schedule})`,
    others,
  ])
})

test('programs get what a deletion does by codes, records and counts', async () => {
  await lab.call('POST /client/delete', { clients: [two] })
  const { details } = (await lab.call('GET /deletion', { kind: 'computer', clients: [one] })).json
  const gone = { kind: 'schedule', id: schedule, name: 'win11', addresses: 1 }
  const rest = { kind: 'schedule', id: mixedSchedule, name: 'mixed', computers: 1 }
  equal([details[0].effect, details[0].what], ['others', [gone, rest]])
  await lab.call('POST /undo', {})
})

test('who may take a deletion back gets for how many days, of an image as long as its file is kept', async () => {
  const days = async (kind: string, call = lab.call) => (await call('GET /deletion', { kind, id: 1 })).json.undo_days
  const { token } = (await lab.call('POST /token/add', { name: 'operator', role: 'operate' })).json
  const ofOperator: typeof lab.call = (route, payload) => lab.call(route, payload, { Authorization: token })
  equal([await days('user'), await days('image'), await days('room')], [30, 7, 30])
  equal([await days('group', ofOperator), await days('schedule', ofOperator)], [0, 30])
})

test('what comes back says which schedules have their computers again', async () => {
  match((await fleet('room', 'delete', 'Studio', '--yes')).error, `runs on no computer then: ${words}`)
  const { again } = (await lab.call('POST /undo', {})).json.undone
  equal(again, [words])
  is((await lab.call('POST /room/update', { room: `${room}`, netmask: '255.255.0.0' })).status, 200)
  is((await lab.call('POST /undo', {})).json.undone.again, undefined)
  const deleted = await fleet('computer', 'delete', 'pc-1', 'pc-2', '--yes')
  const [id = ''] = /(?<=fleet undo )\d+/.exec(deleted.out) ?? []
  is((await fleet('undo', id)).out, `2 computers (pc-1 and others) are back; there again for ${words}\n`)
})

test('what is of a center is deleted with it, whatever computers it names', async () => {
  const schedules = `${words}, schedule mixed (schedule ${mixedSchedule}), schedule one (schedule 3)`
  equal(await effects({ kind: 'center', id: 1 }), [`runs on no computer then: ${schedules}`])
  const law = await lab.add('POST /center/add', { name: 'Law' })
  const elsewhere = await lab.add('POST /task/add', { center: `${law}`, name: 'elsewhere', clients: [one] })
  const procedure = await lab.add('POST /procedure/add', { center: `${law}`, name: 'all' })
  const all = await lab.add('POST /schedule/create', { task: `${procedure}`, type: 'procedure', name: 'all', when })
  const lost = `runs on no computer then: schedule all (schedule ${all}), task elsewhere (task ${elsewhere})`
  equal(await effects({ kind: 'center', id: law }), [lost])
  is((await lab.call('POST /center/delete', { id: `${law}` })).headers['x-warning'], lost)
})

test('a job that runs there is named, and what it prints stays readable', async () => {
  const agent = await lab.agent(one)
  const known = lab.event('client-hello', { addr: one })
  agent.send(message(103, { event: 'hello', keys: ['pieces', 'timeout'] }))
  await known
  const { headers } = await lab.call('POST /shell/run', { clients: [one], run: 'true', echo: true })
  await agent.next('/shell/run')
  const printed = lab.event('job-output', { addr: one })
  agent.send(message(103, { event: 'output', out: 'first\n' }))
  await printed
  const job = String(headers['x-job-id'])
  const running = `running: job ${job} on 1 computer`
  equal(await effects({ kind: 'room', id: room }), [`runs on no computer then: ${words}`, others, running])
  equal(await effects({ kind: 'address', clients: [one] }), [running])
  match((await fleet('computer', 'edit', 'pc-1', '--ip', '127.0.44.8')).error, new RegExp(`--yes.*; ${running}\n$`))
  match(
    (await fleet('room', 'delete', 'Studio')).error,
    new RegExp(`--yes.*; runs on no computer then: .*; ${running}\n$`),
  )
  const deleted = await fleet('room', 'delete', 'Studio', '--yes')
  is(deleted.error, `fleet: warning: runs on no computer then: ${words}; ${others}; ${running}\n`)
  const soFar = async () => (await fleet('job', job, '--output')).out
  match(await soFar(), 'first\n')
  const more = lab.event('job-output', { addr: one })
  agent.send(message(103, { event: 'output', out: 'second\n' }))
  await more
  match(await soFar(), 'first\nsecond\n')
  const ended = lab.event('job-part', { addr: one })
  agent.answer(200, { out: 'first\nsecond\n' })
  await ended
  match(await soFar(), /^── 127.*\nfirst\nsecond\n$/)
  const outputOf = async () => (await lab.call('POST /shell/output', { clients: [one] })).json.clients[0].output
  is(await outputOf(), 'first\nsecond\n')
  await lab.addComputer(one, { name: 'next', mac: '020000000049', room: 1 })
  is(await outputOf(), '')
  match(await soFar(), /second\n$/)
})

test('an address that changes cancels what waits at the former one, which is said before and after', async () => {
  const taken = await fleet('computer', 'edit', 'pc-3', '--ip', one, '--yes')
  match(taken.error, `--ip: ip: ${one} is taken by next (Room)\n`)
  const { headers } = await lab.call('POST /shell/run?queue=1', { clients: [other], run: 'true', echo: true })
  const job = String(headers['x-job-id'])
  const when = masksOf(new Date(2038, 1, 1))
  const command = { command: 'shell-run', params: { run: 'true', echo: true } }
  const schedule = await lab.add('POST /schedule/command', { clients: [other], ...command, name: 'Late', when })
  await lab.add('POST /group/add', { name: 'two', clients: [one, other] })
  const moved = `schedule mixed \\(.*, schedule Late \\(schedule ${schedule}\\), group two \\(group 1\\)`
  const effect = new RegExp(`cancelled: job ${job} on 1 computer; moved to the new address: ${moved}`)
  const text = `name,ip,mac\npc-3,127.0.44.9,020000000043\n`
  const warningOf = async (more: object) =>
    (await lab.call('POST /client/import', { format: 'csv', text, update: true, ...more })).headers['x-warning']
  match(String(await warningOf({ dry_run: true })), effect)
  const asked = await fleet('computer', 'edit', 'pc-3', '--ip', '127.0.44.9')
  match(
    asked.error,
    new RegExp(`--yes.*: Change the address of .*${other} to .*; cancelled: job ${job} on 1 computer\n$`),
  )
  const { error } = await fleet('computer', 'edit', 'pc-3', '--ip', '127.0.44.9', '--yes')
  match(error, effect)
  const clientsOf = async () => {
    const { tasks } = (await lab.call('GET /tasks')).json
    return tasks.find(({ id }: { id: number }) => id === mixed).clients
  }
  equal(await clientsOf(), [one, '127.0.44.9'])
  const back = await lab.call('POST /undo', {})
  equal(await clientsOf(), [one, other])
  is(back.headers['x-warning'], `job ${job} stays cancelled on 1 computer: fleet job retry ${job}`)
})

test('of many jobs all that stay cancelled are said', async () => {
  const addr = '127.0.44.77'
  await lab.addComputer(addr, { name: 'pc-77' })
  const ids: string[] = []
  for (let count = 0; count < 7; count += 1) {
    const { headers } = await lab.call('POST /shell/run?queue=1', { clients: [addr], run: `${count}`, echo: true })
    ids.push(String(headers['x-job-id']))
  }
  const { headers } = await lab.call('POST /client/delete', { clients: [addr] })
  match(String(headers['x-warning']), /cancelled: (job \d+ on 1 computer, ){4}job \d+ on 1 computer and 2 more$/)
  const warned = String((await lab.call('POST /undo', {})).headers['x-warning'])
  for (const id of ids) match(warned, new RegExp(`job (\\d+, )?${id}\\b`))
})

test.run()
