// `fleet nightly`, and how `fleet schedule` changes, shows and deletes what was made.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, fleetOnTerminal, write, remove } = openShellOf(lab)
await lab.addComputer('127.0.34.1')

const test = suite('fleet nightly and fleet schedule')
test.after(async () => {
  remove()
  await lab.stop()
})

/** What was printed; it has to be the only thing, with exit code 0. */
async function done(...args: string[]): Promise<string> {
  const { code, out, error } = await fleet(...args)
  equal([code, error], [0, ''], error)
  return out
}

test('nightly makes a task with its options and a schedule, named by what it does', async () => {
  const file = write('update.sh', 'apt-get -y upgrade\n')
  const args = ['nightly', '--room', 'Room', '--run', file, '--then', 'poweroff', '--at', '22:30', '--until', '6:30']
  const out = await done(...args)
  match(
    out,
    /^update\.sh, then poweroff: Room\nis .* at 22:30, wake, when idle, until 06:30, then poweroff also after a failed step \(schedule \d+\)\nthe script is what update\.sh has now, and is ended where it runs longer than 12h, or at 06:30; .*\nwhere .*\nnext: .* 22:30:00; /,
  )
  const [task] = (await lab.call('GET /tasks')).json.tasks
  const waiting = '{"wake":true,"when_idle":true,"until":"06:30","then":"poweroff"}'
  equal([task.where, JSON.stringify(task.options)], ['room_id:1', waiting])
  const atOnce = await done(...args, '--name', 'At once', '--no-when-idle', '--then-after', 'success')
  match(atOnce, /then poweroff where it succeeded/)
  const without = ['nightly', '--room', 'Room', '--run', file, '--at', '22:30', '--then-after', 'any']
  is((await fleet(...without)).error, 'fleet: nightly: expected --then with --then-after, got none\n')
  match(atOnce, /wake, no when idle, .*\nthe script .*\ncomputers where somebody is logged in are powered off, too\n/)
  match(await done('schedule', 'delete', 'At once'), /^schedule \d+ is deleted; .*\nwith it: task At once .*\n$/)
  const { steps } = (await lab.call('GET /procedures')).json.procedures.at(-1)
  equal(steps[0].params, { run: 'apt-get -y upgrade\n', echo: true, timeout: 43_200, end_at: '06:30' })
  match(await done('schedule', 'list'), /update\.sh, then poweroff: Room/)
})

test('what nightly has made goes with its schedule, and comes back with it', async () => {
  const args = (run: string) => ['nightly', '--room', 'Room', '--run', run, '--name', 'Again', '--at', '22:30']
  const made = JSON.parse(await done(...args('sync'), '--json'))
  match(
    (await fleet(...args('sync'))).error,
    /^fleet: nightly: Again is scheduled already, every day at 22:30 .*: change it with fleet schedule edit/,
  )
  const used = `task ${made.task} is in use by schedule Again (schedule ${made.schedule})`
  ok((await fleet('task', 'delete', 'Again')).error.includes(used))
  const inTask = `procedure ${made.procedure} is in use by task Again (task ${made.task})`
  ok((await fleet('procedure', 'delete', 'Again')).error.includes(inTask))
  const gone = new RegExp(
    `^schedule ${made.schedule} is deleted; take it back with: fleet undo (\\d+)\n` +
      `with it: task Again \\(task ${made.task}\\), procedure Again \\(procedure ${made.procedure}\\)\n$`,
  )
  const [, undo = ''] = gone.exec(await done('schedule', 'delete', 'Again')) ?? []
  await done('undo', undo)
  match(await done('schedule', 'delete', 'Again'), gone)
  const other = JSON.parse(await done(...args('sync; sync'), '--json'))
  const { headers } = await lab.call('POST /schedule/create', { task: `${other.task}`, name: 'Other', type: 'task' })
  is(await done('schedule', 'delete', `${other.schedule}`).then(out => out.split('\n')[1]), '')
  const waits = /^fleet: warning: job \d+ still waits on 1 computer: fleet job cancel \d+\n$/
  match((await fleet('schedule', 'delete', String(headers['x-id']))).error, waits)
  const { error } = await fleet(...args('sync'))
  const { task, procedure } = other
  const names = `task Again (task ${task}), procedure Again (procedure ${procedure})`
  const deletion = `fleet task delete ${task}; fleet procedure delete ${procedure}`
  is(error, `fleet: nightly: the name is that of ${names}: choose another --name, or delete before: ${deletion}\n`)
  for (const kind of ['task', 'procedure']) await done(kind, 'delete', 'Again')
})

test('the script of a nightly is changed, unless it runs elsewhere or is none', async () => {
  const { task, procedure, schedule } = JSON.parse(
    await done('nightly', '--room', 'Room', '--run', 'sync', '--name', 'Script', '--at', '22:30', '--json'),
  )
  const edit = (...args: string[]) => fleet('schedule', 'edit', 'Script', ...args)
  const stepsNow = async () =>
    (await lab.call('GET /procedures')).json.procedures.find(({ id }: { id: number }) => id === procedure).steps
  const { out } = await edit('--run', write('new.sh', 'apt-get update\n'), '--then', 'poweroff')
  match(out, /^Script \(schedule \d+\) fires every day at 22:30\n/)
  const does = `its procedure Script \\(procedure ${procedure}\\) does from now on: shell-run: apt-get update, at most 8h`
  const runs = `its task Script \\(task ${task}\\) runs with: wake, then poweroff also after a failed step`
  const [, undo = ''] = new RegExp(`\n${does}\n${runs}; take it back with: fleet undo (\\d+)\n$`).exec(out) ?? []
  match(await done('undo', undo), /^Taken back: task Script changed: steps, options; /)
  equal((await stepsNow())[0].params.run, 'sync')
  await lab.call('POST /undo', {})
  equal(await stepsNow(), [{ command: 'shell-run', params: { run: 'apt-get update\n', echo: true, timeout: 28_800 } }])
  match((await edit('--set', 'a=b')).error, /schedule edit: expected --script with --set, got none/)
  match((await edit('--run', 'a', '--script', 'b')).error, /schedule edit: expected either --run or --script/)
  await done('task', 'add', 'Too', '--center', 'Center', '--procedure', 'Script')
  const [{ id }] = (await lab.call('GET /tasks')).json.tasks.slice(-1)
  const users = `procedure Script (procedure ${procedure}) runs for task Too (task ${id}), too: `
  ok((await edit('--run', 'sync')).error.includes(users))
  await done('task', 'delete', 'Too')
  await done('procedure', 'edit', 'Script', '--steps', '[{"command": "poweroff", "params": {}}]')
  match((await edit('--run', 'sync')).error, /procedure Script \(procedure \d+\) is no script alone: fleet proc/)
  await done('task', 'edit', 'Script', '--steps', '[]')
  match((await edit('--run', 'sync')).error, /expected a task of one procedure, got task Script/)
  equal(await stepsNow(), [{ command: 'poweroff', params: {} }])
  const foreign = { task: `${task}`, procedure: `${procedure}`, name: 'x', type: 'task' }
  is((await lab.call('POST /schedule/create', foreign)).status, 400)
  await done('schedule', 'delete', `${schedule}`)
})

test('another script, name or room of a nightly is that of its task and procedure, too', async () => {
  const nameIn = async (kind: string) => (await lab.call(`GET /${kind}`)).json[kind].at(-1).name
  const namesOf = () => Promise.all(['schedules', 'tasks', 'procedures'].map(nameIn))
  const args = ['--room', 'Room', '--at', '22:30', '--run', write('first.sh', 'sync\n'), '--then', 'poweroff', '--json']
  const { schedule } = JSON.parse(await done('nightly', ...args))
  const edit = (...args: string[]) => done('schedule', 'edit', `${schedule}`, ...args)
  match(await edit('--run', write('second.sh', 'sync\n')), /^second\.sh, then poweroff: Room \(schedule/)
  equal(await namesOf(), Array(3).fill('second.sh, then poweroff: Room'))
  match(await edit('--run', 'sync; sync'), /^sync; sync, then poweroff: Room \(schedule/)
  await lab.call('POST /room/add', { name: 'Next', netmask: '255.255.255.0', center: 1 })
  match(await edit('--room', 'Next'), /^sync; sync, then poweroff: Next \(.*is for: Next \(follows the room\); take/s)
  for (const more of [['--name', 'Chosen'], []]) match(await edit('--run', 'sync', ...more), /^Chosen \(schedule/)
  equal(await namesOf(), Array(3).fill('Chosen'))
  match(await edit('--name', 'Other', '--at', '21:00'), /^Other \(schedule/)
  equal(await namesOf(), Array(3).fill('Other'))
  is((await lab.call('POST /undo', {})).json.undone.what, 'schedule Other changed: name, time')
  equal(await namesOf(), Array(3).fill('Chosen'))
  match((await lab.call('GET /undo')).json.changes[0].what, /^undo of schedule Chosen changed: /)
  const { error } = await fleetOnTerminal('n', 'room', 'delete', 'Next')
  match(error, /^Delete room Next with 0 computers; runs on no computer then: schedule Chosen \(schedule \d+\)\n/)
  await done('schedule', 'delete', 'Chosen')
})

test('a schedule that fires once goes on to do so, unless that is asked for', async () => {
  await done('task', 'add', 'Once', '--center', 'Center')
  await done('schedule', 'add', '--task', 'Once', '--name', 'Once', '--at', '22:30', '--on', '2038-11-27')
  const wordsOf = async (...args: string[]) =>
    (await fleet('schedule', 'edit', 'Once', ...args)).out.split('\n')[0] ?? ''
  match(await wordsOf('--at', '23:30'), /fires once, on Saturday, November 27, 2038 at 23:30$/)
  match(await wordsOf('--at', '2038-11-28 21:15'), /fires once, on Sunday, November 28, 2038 at 21:15$/)
  match(await wordsOf('--on', 'mon'), /fires once, on Monday, .* at 21:15$/)
  for (const at of ['saturday 21:15', 'Sat 21:15']) match(await wordsOf('--at', at), /once, on Saturday, .* at 21:15$/)
  const errorOf = async (...args: string[]) => (await fleet('schedule', 'edit', 'Once', ...args)).error
  for (const on of ['28', 'mon-fri'])
    match(
      await errorOf('--on', on),
      /--on: expected a date such as .* as it fires once, got .*; with --repeat it fires/,
    )
  match(await errorOf('--on', '2038-02-30'), /--on: there is no day 2038-02-30/)
  match(await errorOf('--at', 'sat 9:00', '--on', 'sat'), /--at: expected a time such as 22:30 beside --on/)
  match(await errorOf('--repeat', '--at', '9:00'), /expected --on with --repeat, got none/)
  match(await wordsOf('--on', 'sat', '--repeat'), /fires every Saturday at 21:15$/)
  for (const kind of ['schedule', 'task']) await done(kind, 'delete', 'Once')
})

test('a nightly job that is refused leaves nothing behind', async () => {
  const countAll = async () => [
    (await lab.call('GET /procedures')).json.procedures.length,
    (await lab.call('GET /tasks')).json.tasks.length,
  ]
  const before = await countAll()
  await done('task', 'add', 'Taken', '--center', 'Center')
  const same = await fleet('nightly', '--room', 'Room', '--run', 'sync', '--at', '22:30', '--name', 'Taken')
  is(same.code, 1)
  match(same.error, /the name is that of task Taken \(task \d+\): choose another --name, or delete before: fleet task/)
  await done('task', 'delete', 'Taken')
  equal(await countAll(), before)
  const missing = await fleet('nightly', '--room', 'Room', '--run', 'updat.sh', '--at', '22:30')
  equal([missing.code, /^fleet: --run: there is no file .* here\n$/.test(missing.error)], [2, true])
})

test('schedules, tasks and procedures are shown with what they do', async () => {
  const args = ['nightly', '--room', 'Room', '--run', 'sync', '--name', 'Shown', '--at', '22:30', '--until', '6:30']
  const { task, procedure, schedule } = JSON.parse(await done(...args, '--json'))
  const shown = async (kind: string, text = 'Shown') =>
    (await done(kind, 'show', text)).split('\n').map(line => line.replace(/ {2,}/, ': '))
  equal(
    (await shown('schedule')).filter(line => !line.startsWith('next')),
    [
      'FIELD: VALUE',
      `schedule: Shown (schedule ${schedule})`,
      'when: every day at 22:30',
      'last: it has not fired yet',
      'made by: admin',
      'for: Room (follows the room)',
      `task: Shown (task ${task})`,
      'how: wake, until 06:30',
      `procedure: Shown (procedure ${procedure})`,
      'step 1: shell-run: sync, at most 12h, until 06:30',
      '',
    ],
  )
  equal((await shown('task')).at(-2), `used by: schedule Shown (schedule ${schedule})`)
  equal((await shown('procedure')).slice(1, 4), [
    `procedure: Shown (procedure ${procedure})`,
    'step 1: shell-run: sync, at most 12h, until 06:30',
    `used by: task Shown (task ${task})`,
  ])
  is(JSON.parse(await done('schedule', 'show', 'Shown', '--json')).plan.task, task)
  is((await fleet('task', 'show', '99')).error, 'fleet: task: there is no task 99\n')
  await lab.call('POST /schedule/command', { clients: ['127.0.34.1'], command: 'poweroff', params: {} })
  match(
    (await shown('schedule', 'poweroff')).join('\n'),
    /\nnext: never\n.*\nfor: Room \(this 1 computer\)\nstep 1: poweroff\n/s,
  )
  await done('schedule', 'delete', 'Shown')
})

test('of several schedules with one name those are meant that can still fire', async () => {
  await done('task', 'add', 'Same', '--center', 'Center')
  const add = async (on: string) =>
    done('schedule', 'add', '--task', 'Same', '--name', 'Same', '--at', '22:30', '--on', on)
  await fleet('schedule', 'add', '--task', 'Same', '--name', 'Same', '--at', '22:30', '--on', '2020-11-27')
  const [, id = ''] = /as schedule (\d+);/.exec(await add('2038-11-27')) ?? []
  match(await done('schedule', 'suspend', 'Same'), new RegExp(`^Same \\(schedule ${id}\\) is suspended`))
  match(await done('schedule', 'resume', 'Same'), new RegExp(`^Same \\(schedule ${id}\\) fires once, `))
  await add('mon')
  match((await fleet('schedule', 'suspend', 'Same')).error, new RegExp(`expected one of ${id}, \\d+, got Same\n$`))
})

test.run()
