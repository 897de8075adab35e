// `fleet group`, `fleet tag`, and --where and --group in place of a list of computers.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, fleetOnTerminal, remove } = openShellOf(lab)
const addresses = [1, 2, 3].map(number => `127.0.38.${number}`)
const [one = '', two = '', three = ''] = addresses
await lab.addComputer(one, { name: 'lab-c01' })
await lab.call('POST /room/add', { name: 'Lab', netmask: '255.255.255.0', center: 1 })
await lab.addComputer(two, { name: 'lab-c02' })
await lab.addComputer(three, { name: 'lab-c03', room: 2 })
const agent = await lab.agent(one, {
  auto: { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'Linux\n' } } },
})

const tagsOf = async (client: string) => (await lab.call('GET /client/info', { client: [client] })).json.tags ?? []
const never = { years: 1, months: 1, weeks: 0, week_days: 0, days: 1, hours: 1, am_pm: 0, minutes: 0 }
const usageErrorOf = async (...args: string[]) => {
  const { code, out, error } = await fleet(...args)
  equal([code, out], [2, ''], error)
  return error
}

const test = suite('groups in the CLI')
test.after(async () => {
  remove()
  await lab.stop()
})

test('tags of several computers are added and removed at once, by names and by a query', async () => {
  is((await fleet('tag', 'lab-c01', three, '+cad', '+exam')).out, '2 computers: +cad +exam\n')
  equal(await Promise.all(addresses.map(tagsOf)), [['cad', 'exam'], [], ['cad', 'exam']])
  is((await fleet('tag', '--where', 'room:Lab', '-exam', '+old')).out, '1 computer: +old -exam\n')
  equal(await Promise.all(addresses.map(tagsOf)), [['cad', 'exam'], [], ['cad', 'old']])
  is((await fleet('tag', 'lab-c03', '-old')).code, 0)
})

test('a wrong call of fleet tag names what is expected, and changes nothing', async () => {
  is((await fleet('tag', '--room', 'Lab', '+new')).out, '1 computer: +new\n')
  is((await fleet('tag', '--room', 'Lab', '-new')).out, '1 computer: -new\n')
  match(
    await usageErrorOf('tag', '+cad'),
    /^fleet: tag: expected computers, --room, --center, --where or --group, got none of them\n/,
  )
  match(await usageErrorOf('tag', 'lab-c01'), /^fleet: tag: expected \+tag or -tag, got none of them\n/)
  match(await usageErrorOf('tag', 'lab-c01', '+cad', '--wheer', 'x'), /^fleet: tag: unknown option '--wheer'\n/)
  match(await usageErrorOf('tag', 'lab-c1', '+cad'), /there is no computer lab-c1; maybe meant: lab-c0\d\n/)
  match((await fleet('tag', 'lab-c01', '+a b')).error, /^fleet: .*expected letters.*\n$/)
  equal(await tagsOf(one), ['cad', 'exam'])
})

test('a group is added with a query or a list, listed, shown, changed and deleted', async () => {
  is(
    (await fleet('group', 'add', 'Exam seats', '--where', 'tag:exam')).out,
    'group Exam seats is added with the id 1\n',
  )
  is((await fleet('group', 'add', 'Doors', '--client', `lab-c01,${two}`, three)).code, 0)
  const { out } = await fleet('group', 'list')
  match(out, /^ID +NAME +COMPUTERS +HAS\n +1 +Exam seats +1 +tag:exam\n +2 +Doors +3 +a list of 3\n$/)
  match(
    (await fleet('group', 'show', 'Exam seats', '--columns', 'name,tags')).out,
    /^NAME +TAGS\nlab-c01 +cad, exam\n1 computer\n$/,
  )
  is(
    (await fleet('group', 'edit', 'Doors', '--where', 'group:"Exam seats"', '--name', 'Door')).out,
    'group Doors is changed\n',
  )
  await fleet('group', 'edit', 'Exam seats', '--name', 'Exam')
  match((await fleet('group', 'list')).out, /\nDoor: .*names a group which is not there\n$/)
  is((await fleet('group', 'edit', 'Door', '--client', 'lab-c03')).code, 0)
  is((await fleetOnTerminal('n', 'group', 'delete', 'Door')).error.split('\n')[0], 'Delete a group: Door (group 2)')
  is((await fleet('group', 'delete', 'Door')).out, 'group 2 is deleted; take it back with: fleet undo 6\n')
  is(JSON.parse((await fleet('group', 'list', '--json')).out).groups.length, 1)
  match(await usageErrorOf('group', 'add', 'x'), /group add: expected --where or --client, got none/)
  match(await usageErrorOf('group', 'add', 'x', '--where', 'a', '--client', one), /expected either --where or --client/)
  match(await usageErrorOf('group', 'show', 'Exams'), /^fleet: group: expected Exam, got Exams\n$/)
})

test('a script runs on what a query finds or a group has, and nowhere when that is nothing', async () => {
  for (const option of [
    ['--where', 'tag:exam'],
    ['--group', 'Exam'],
    ['--group', '1'],
  ])
    match((await fleet('run', ...option, '--', 'uname')).out, /Linux/)
  is(agent.requests.filter(({ path }) => path === '/shell/run').length, 3)
  match((await fleet('output', '--group', 'Exam')).out, /Linux/)
  match((await fleet('clients', '--where', 'tag:exam')).out, /lab-c01[\s\S]*\n1 on\n/)
  const none = await fleet('run', '--where', 'tag:none', '--', 'uname')
  equal([none.code, none.error], [1, 'fleet: --where: no computer matches tag:none\nat 1: no computer has tag:none\n'])
  await fleet('group', 'add', 'Empty', '--where', 'tag:none')
  const empty = await fleet('send', 'poweroff', '--group', 'Empty')
  equal([empty.code, empty.error], [1, 'fleet: --group: no computer matches Empty\n'])
  match((await fleet('run', '--where', 'rom:x', '--', 'uname')).error, /at 1: there is no field rom; is room meant\?/)
})

test('--where, --group and a list exclude each other, and one of them is needed', async () => {
  const expected = /^fleet: expected one of --where, --group and a list, got --where and /
  match(await usageErrorOf('run', '--where', 'x', '--room', 'Room', '--', 'id'), expected)
  match(await usageErrorOf('send', 'poweroff', '--where', 'x', '--group', 'Exam'), expected)
  match(await usageErrorOf('clients', '--where', 'x', '--center', 'Center'), expected)
  match(await usageErrorOf('run', '--', 'id'), /got none of them/)
  match(await usageErrorOf('send', 'poweroff', '--group', 'Exma'), /--group: expected Exam, got Exma/)
})

test('what ends something first shows how many computers of which rooms a query finds', async () => {
  const questionOf = async (...args: string[]) => (await fleetOnTerminal('n', 'send', ...args)).error.split('\n')[0]
  is(await questionOf('poweroff', '--where', 'tag:cad'), 'Power clients off: 2 clients of Room, Lab (lab-c[01,03])')
  is(await questionOf('reboot', '--group', 'Exam'), 'Reboot clients: 1 client of Room (lab-c01)')
  const json = JSON.stringify({ where: 'tag:cad' })
  is(await questionOf('poweroff', '--json', json), 'Power clients off: 2 clients of Room, Lab (lab-c[01,03])')
  is((await fleetOnTerminal('y', 'send', 'poweroff', '--where', 'tag:cad')).code, 0)
})

test('a task keeps the query or the group, and finds its computers each time', async () => {
  is((await fleet('send', 'task-add', '--center', 'Center', '--name', 'Evening', '--where', 'tag:exam')).code, 0)
  is((await fleet('send', 'task-add', '--center', 'Center', '--name', 'Night', '--group', 'Exam')).code, 0)
  const { tasks } = (await lab.call('GET /tasks')).json
  equal(
    tasks.map(({ where, group, clients }: Record<string, unknown>) => [where, group, clients]),
    [
      ['tag:exam', undefined, undefined],
      [undefined, 1, undefined],
    ],
  )
})

test('a task or a schedule for rooms follows them, one for computers keeps its list', async () => {
  const last = async () => (await lab.call('GET /schedules')).json.schedules.at(-1)
  const schedule = ['send', 'schedule-command', '--command', 'poweroff', '--params', '{}', '--json']
  const when = JSON.stringify({ when: never })
  for (const [options, where] of [
    [['--room', 'Lab'], 'room_id:2'],
    [['--on-room', 'Lab', 'Room'], 'room_id:2 or room_id:1'],
    [['--center', 'Center'], 'center_id:1'],
  ] as const) {
    is((await fleet(...schedule, when, ...options)).code, 0, options.join(' '))
    is((await last()).scheduled.where, where)
  }
  is((await fleet(...schedule, when, '--client', 'lab-c02')).code, 0)
  equal((await last()).scheduled.clients, [two])
  match(await usageErrorOf(...schedule, when, '--room', 'Lab', '--client', one), /rooms and centers.*got both/)
  const { out } = await fleet('schedule', 'list')
  match(out, /Lab, Room \(follows the rooms\)[\s\S]*Center \(follows the center\)[\s\S]*this 1 computer/)
  is((await fleet('send', 'task-add', '--center', 'Center', '--name', 'Follows', '--on-room', 'Lab')).code, 0)
  is((await lab.call('GET /tasks')).json.tasks.at(-1).where, 'room_id:2')
})

test('tokens and users are limited to groups by their names', async () => {
  await fleet('token', 'add', 'lab', '--role', 'read', '--group', 'Exam', '--room', 'Lab')
  match((await fleet('token', 'list')).out, /lab +read +Lab, group Exam +active/)
  is((await fleet('token', 'update', 'lab', '--group', 'Exam')).code, 0)
  const [token] = (await lab.call('GET /tokens')).json.tokens
  equal([token.rooms, token.groups], [[], [1]])
  is((await fleet('token', 'update', 'lab', '--all-rooms')).code, 0)
  match((await fleet('token', 'list')).out, /lab +read +all +active/)
  match(await usageErrorOf('user', 'update', '1', '--all-rooms', '--group', 'Exam'), /--all-rooms: expected no --room/)
})

test.run()
