// The subcommands of `fleet` that show the daemon's data, as tables and as JSON.
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { sayHello } from '../harness/hello.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const { fleet, program, write, folder, remove } = openShellOf(testHost)
const [on, off] = ['127.0.21.1', '127.0.21.2']
for (const ip of [on, off]) await testHost.addComputer(ip)
const auto: ReplyTable = {
  '/refresh': { status: 200 },
  '/shell/run': { status: 200, body: { out: 'one\n\x1b[2Jtwo\n' } },
}
const agent = await testHost.agent(on, { auto })

const json = async (...args: string[]) => JSON.parse((await fleet(...args, '--json')).out)
const test = suite('reading')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('clients are listed with name and room, and can be filtered by room and state', async () => {
  const { clients } = await json('clients')
  equal(
    clients.map(({ addr, name, room, state }: Record<string, string>) => [addr, name, room, state]),
    [
      [on, `pc-${on}`, 'Room', 'OPG'],
      [off, `pc-${off}`, 'Room', 'off'],
    ],
  )
  const addresses = async (...args: string[]) =>
    (await json('clients', ...args)).clients.map(({ addr }: { addr: string }) => addr)
  const some = [
    addresses('--room', 'Room', '--connected'),
    addresses('--state', 'off'),
    addresses('--state', 'BSY', '--center', '1'),
  ]
  equal(await Promise.all(some), [[on], [off], []])
  const { code, out } = await fleet('clients')
  is(code, 0)
  match(
    out,
    /^CLIENT +NAME +ROOM +STATE +MBIT\/S +LAST COMMAND\n\S+ +pc-\S+ +Room +on, live system.*\n.* off, never connected\n1 on, 1 off\n$/,
  )
})

test('--json prints the response of the API', async () => {
  const pairs = [
    [['scopes'], 'GET /scopes'],
    [['agents'], 'GET /agents'],
    [['modes'], 'GET /mode'],
    [['jobs', '--limit', '2'], 'GET /jobs?limit=2'],
  ] as const
  const printed = await Promise.all(pairs.map(([args]) => json(...args)))
  for (const [index, [, route]] of pairs.entries()) equal(printed[index], (await testHost.call(route)).json, route)
  // Longer than the buffer of a pipe.
  equal(JSON.parse((await program('modules', '--json')).out), (await testHost.call('GET /modules')).json)
  const { images, disk } = await json('images')
  equal([images, typeof disk.free], [[], 'number'])
})

test('without --json the output is a table', async () => {
  const [scopes, images, modules] = await Promise.all([fleet('scopes'), fleet('images'), fleet('modules')])
  match(scopes.out, /^CENTER \/ ROOM +ID +COMPUTERS\nCenter +1\n└ Room +1 +2\n$/)
  match(images.out, /^no images\ndisk: [\d.]+ \w+ of [\d.]+ \w+ free\n$/)
  match(
    modules.out,
    /^MODULE +KIND +DOES[\s\S]*\nwol +command +POST \/wol +[^\n]* 1 +\d{4}-\d\d-\d\d \d\d:\d\d +built-in\n/,
  )
})

test('agents are listed by their versions, with the version of the server', async () => {
  const { current } = await json('agents')
  const server = `this server has ${current}; fleet send agent-update updates the agents for Linux\n`
  is((await fleet('agents')).out, `no agents that introduce themselves\n${server}`)
  const read = testHost.event('client-hello')
  sayHello(agent, { agent: 'fleet-agent 0.1.0' })
  await read
  const { out } = await fleet('agents')
  is(out, `AGENT              COMPUTERS  ADDRESSES\nfleet-agent 0.1.0          1  ${on}\n${server}`)
})

test('jobs can be filtered, and output shows what a script printed', async () => {
  is((await fleet('send', 'shell-run', '--client', on, '--run', 'x', '--echo', '--wait')).code, 0)
  const { jobs } = await json('jobs', '--command', 'shell-run', '--state', 'success', '--client', on)
  is(jobs[0].name, 'shell-run')
  match((await fleet('jobs')).out, /^JOB +WHAT[\s\S]* run: .* +request +admin +1 +\d{4}-\d\d-\d\d /)
  is((await fleet('jobs', '--state', 'done')).code, 2)
  equal(await json('output', '--room', 'Room'), {
    clients: [
      { addr: on, output: 'one\n\x1b[2Jtwo\n' },
      { addr: off, output: '' },
    ],
  })
  const { out } = await fleet('output', '--room', '1')
  is(out, `── pc-${on} ${on}\none\n\x1b[2Jtwo\n1 client, no output known: pc-${off}\n`)
})

test('a job that runs has its time and its deadline in the list', async () => {
  await testHost.call('POST /hardware', { clients: [on] })
  const [{ running }] = (await json('jobs')).jobs
  equal([running.seconds < 60, Number.isFinite(Date.parse(running.deadline))], [true, true])
  match((await fleet('jobs')).out, /^JOB .* RUNS\n.* hardware .* 0:\d\d, until \d\d:\d\d\n/)
  const ended = testHost.event('job-finished', {})
  agent.answer(500)
  await ended
  is((await json('jobs', '--limit', '1')).jobs[0].running, undefined)
})

test('computers are imported and exported, and a conflict is listed and exits with 1', async () => {
  const file = write('more.csv', 'name,ip,mac\npc-a,10.1.1.1,001b210a0b0c\n')
  match((await fleet('import', file, '--room', 'Room', '--dry-run')).out, /^1 computer would be added, 0 there already/)
  equal(await json('import', file, '--room', 'Room'), { added: 1, exists: 0, conflicts: [], undo: 1 })
  match((await fleet('export')).out, /^name,ip,mac[\s\S]*\npc-a,10\.1\.1\.1,001b210a0b0c,Center\/Room,/)
  const clash = write('clash.csv', 'name,ip,mac\npc-b,10.1.1.1,001b210a0b0d\n')
  const { code, out } = await fleet('import', clash, '--room', '1')
  is(code, 1)
  match(out, /^LINE +CONFLICT\n +2 +\S.*\n1 conflict: nothing is stored\n$/)
  is((await fleet('import', join(folder, 'gone.csv'), '--room', '1')).code, 2)
  is((await fleet('import', write('list', ''), '--room', '1')).code, 2)
})

test('a schedule is created with a time and days, previewed and deleted', async () => {
  await testHost.call('POST /task/add', { center: '1', name: 'Evening' })
  const created = await fleet(
    'schedule',
    'create',
    '--task',
    'Evening',
    '--name',
    'Ev',
    '--at',
    '22:30',
    '--on',
    'mon,fri,1',
  )
  is(created.code, 0)
  const [{ id, hours, am_pm, minutes, week_days, days }] = (await json('schedule', 'list')).schedule
  equal([hours, am_pm, minutes, week_days, days], [1 << 10, 1, 30, 0b10001, 1])
  const { next } = await json('schedule', 'next', String(id), '--count', '2')
  is(next.length, 2)
  match(
    (await fleet('schedule', 'list')).out,
    / Ev +1 +Center \(follows the center\) +on the 1st of each month and every Monday and Friday at .* 22:30:00\n/,
  )
  is((await fleet('schedule', 'delete', 'Ev')).code, 0)
  is((await fleet('schedule', 'list')).out, 'no schedules\n')
  for (const [at, masks] of [
    ['0:05', [1, 0, 5]],
    ['12:05', [1, 1, 5]],
  ] as const) {
    await fleet('schedule', 'create', '--task', 'Evening', '--name', 'Twelve', '--at', at)
    const [{ hours, am_pm, minutes }] = (await json('schedule', 'list')).schedule
    equal([hours, am_pm, minutes], masks, at)
    is((await fleet('schedule', 'delete', 'Twelve')).code, 0)
  }
  is((await fleet('schedule', 'create', '--task', '1', '--name', 'x', '--at', '25:00')).code, 2)
})

test('a schedule is suspended, resumed and edited, and keeps what is not named', async () => {
  const wordsOf = async (...args: string[]) => {
    const { out, error } = await fleet('schedule', ...args)
    is(error, '')
    return out
  }
  const added = await wordsOf('add', '--task', 'Evening', '--name', 'Kept', '--at', '22:30', '--on', 'mon-fri')
  const id = /Monday to Friday at 22:30 as schedule (\d+);/.exec(added)?.[1] ?? ''
  const after = `again after: fleet schedule resume ${id}\n`
  const suspended = `Kept (schedule ${id}) is suspended; Monday to Friday at 22:30 ${after}`
  is(await wordsOf('suspend', 'Kept'), suspended)
  match(await wordsOf('list'), / Monday to Friday at 22:30 +suspended\n/)
  is(await wordsOf('edit', id, '--on', 'weekend'), suspended.replace('Monday to Friday', 'every Saturday and Sunday'))
  match(
    await wordsOf('resume', id),
    /fires every Saturday and Sunday at 22:30\nnext: .* 22:30:00; take it back with: fleet undo \d+\n$/,
  )
  const edited = await wordsOf('edit', 'Kept', '--name', 'Late', '--at', '23:15', '--until', '6:30')
  match(edited, /^Late \(schedule \d+\) fires every Saturday and Sunday at 23:15\nnext: .* 23:15:00\nits task/)
  match(edited, /\nits task Evening \(task 1\) runs with: until 06:30; take it back with: fleet undo \d+\n$/)
  const [row] = (await testHost.call('GET /schedules')).json.schedules
  equal([row.name, row.type, row.task, row.suspended, row.last], ['Late', 'task', 1, 0, undefined])
  for (const [on, days] of [
    ['weekdays', 'Monday to Friday'],
    ['every day', 'every day'],
    ['Saturday-mon', 'every Monday, Saturday, and Sunday'],
    ['Mon, 30-1', 'on the 1st, the 30th, and the 31st of each month and every Monday'],
  ] as const)
    match(await wordsOf('edit', 'Late', '--on', on), new RegExp(`fires ${days} at 23:15\n`), on)
  const errorOf = async (...args: string[]) => (await fleet('schedule', 'edit', 'Late', ...args)).error
  match(await errorOf('--on', 'mon-5'), /--on: expected mon, .* a range such as mon-fri, or a date, got mon-5\n/)
  match(await errorOf('--on', 'mon-tue-wed'), /got mon-tue-wed\n/)
  match(await errorOf('--type', 'procedure'), /expected --task with --type/)
  match(await errorOf(), /schedule edit: expected an option that says what to change/)
  is((await fleet('schedule', 'suspend', '99')).error, 'fleet: schedule: there is no schedule 99\n')
  match((await fleet('send', 'schedule-update', '--help')).out, /fleet\s+schedule\s+suspend/)
  match(
    await wordsOf('delete', 'Late'),
    /\nit ran what stays: task Evening \(task 1\); to delete that, too: fleet task delete 1\n$/,
  )
})

test('a name with control characters does not break its row', async () => {
  await testHost.call('POST /center/add', { name: 'a\x1b[2J\nb' })
  match((await fleet('scopes')).out, /\na \[2J b +2\n/)
})

test.run()
