// Commands that delete or end something: what they concern, the question on a terminal, and what scripts must add.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const { fleet, fleetOnTerminal, remove } = openShellOf(testHost)
for (const number of [1, 2, 3]) await testHost.addComputer(`127.0.23.${number}`, { name: `lab-c0${number}` })

const computersOf = async () => (await testHost.call('GET /scopes')).json.scope[0]?.scope[0]?.scope.length ?? 0
const test = suite('confirmation')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('on a terminal a deletion shows what it concerns, and only yes sends it', async () => {
  for (const answer of ['', 'n', 'yesterday']) {
    const { code, out, error } = await fleetOnTerminal(answer, 'send', 'client-delete', '--client', 'lab-c02')
    equal([code, out], [1, ''])
    is(error, 'Delete computers: 1 computer of Room (lab-c02)\nContinue? [y/N] fleet: client-delete: not sent\n')
  }
  is(await computersOf(), 3)
  is((await fleetOnTerminal('y', 'send', 'client-delete', '--client', 'lab-c02')).code, 0)
  is(await computersOf(), 2)
})

test('what is deleted by its id is described by its name and its computers', async () => {
  const effectOf = async (...args: string[]) => (await fleetOnTerminal('n', 'send', ...args)).error.split('\n')[0]
  await testHost.call('POST /task/add', { center: '1', name: 'Evening' })
  const effects = await Promise.all([
    effectOf('room-delete', '--id', 'Room'),
    effectOf('center-delete', '--id', '1'),
    effectOf('task-delete', '--id', 'Evening'),
    effectOf('repository-delete', '--id', '77'),
    effectOf('poweroff', '--room', 'Room'),
  ])
  equal(effects, [
    'Delete a room with its computers: 2 computers of Room (Center)',
    'Delete a center and everything in it: 2 computers of Center',
    'Delete a task: Evening (task 1)',
    'Delete a repository: repository 77',
    'Power clients off: 2 clients of Room (lab-c[01,03])',
  ])
})

test('a name with control characters cannot forge the question', async () => {
  await testHost.call('POST /task/add', { center: '1', name: 'a\n\x1b[2Jb' })
  const { error } = await fleetOnTerminal('n', 'send', 'task-delete', '--id', '2')
  is(error.split('\n')[0], 'Delete a task: a [2Jb (task 2)')
})

test('scripts send what ends or deletes as before, except deletions of rooms and centers, and setup', async () => {
  is((await fleet('send', 'poweroff', '--client', 'lab-c01')).code, 0)
  is((await fleet('send', 'task-delete', '--id', '2')).code, 0)
  const partition = { partition: 1, code: 'LINUX', filesystem: 'EXT4', size: 9000, format: 1 }
  const layout = JSON.stringify({ partition_setup: [1, 2, 3, 4].map(number => ({ ...partition, partition: number })) })
  const disk = ['--type', 'MSDOS', '--disk', '1', '--cache', '0', '--cache-size', '0', '--json', layout]
  const calls = [
    ['room-delete', '--id', '1'],
    ['center-delete', '--id', 'Center'],
    ['setup', '--client', 'lab-c01', ...disk],
  ]
  for (const args of calls) {
    const { code, out, error } = await fleet('send', ...args)
    equal([code, out], [2, ''])
    match(error, /^fleet: \S+: expected --yes, as there is no terminal to ask on: .*\n$/)
  }
  is(await computersOf(), 2)
})

test('--yes asks nothing, on a terminal and in scripts', async () => {
  const { error } = await fleetOnTerminal('n', 'send', 'poweroff', '--client', 'lab-c01', '--yes')
  is(error, '')
  equal(await fleet('send', 'room-delete', '--id', 'Room', '--yes'), {
    code: 0,
    out: 'done; take it back with: fleet undo 3\n',
    error: '',
  })
  is(await computersOf(), 0)
})

test('schedule delete asks, too', async () => {
  await testHost.call('POST /task/add', { center: '1', name: 'Morning' })
  is((await fleet('schedule', 'create', '--task', 'Morning', '--name', 'Early', '--at', '6:00')).code, 0)
  const { code, error } = await fleetOnTerminal('n', 'schedule', 'delete', 'Early')
  equal([code, error.split('\n')[0]], [1, 'Delete a schedule: Early (schedule 1)'])
  is((await fleet('schedule', 'delete', 'Early')).code, 0)
})

test.run()
