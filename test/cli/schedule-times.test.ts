// When schedules fire, and how long their scripts may run; what does not exist is not deleted.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true })
const { printed, remove } = openShellOf(lab)

const test = suite('times of schedules')
test.after(async () => {
  remove()
  await lab.stop()
})

const nightly = (...args: string[]) => printed('nightly', '--room', '1', ...args)

test('a script of the night is ended in the morning, or after the time that it is given', async () => {
  match(await nightly('--run', 'sync', '--at', '22:30'), /\nthe script is ended where it runs longer than 8h\n/)
  const night = ['--at', '23:00', '--until', '6:30', '--name', 'Night']
  match(await nightly('--run', 'sync', ...night), /\nthe script is ended where it runs longer than 12h, or at 06:30\n/)
  const edited = (...args: string[]) => printed('schedule', 'edit', 'Night', ...args)
  match(await edited('--timeout', '90m'), /does from now on: shell-run: sync, at most 90m, until 06:30;/)
  match(await edited('--run', 'one\n two\n'), /does from now on: shell-run: one ⏎ two, at most 90m, until 06:30;/)
  match(await edited('--until', '5:15'), /does from now on: shell-run: one ⏎ two, at most 90m, until 05:15;/)
  match(await edited('--timeout', 'long'), /^fleet: --timeout: expected a time such as 90s, 10m or 2h, got long\n/)
  match(await nightly('--run', 'sync', '--at', '1:00', '--timeout', '45s', '--name', 'Short'), / longer than 45s\n/)
})

test('nightly without a script powers computers off, wakes none, and has an end in the same night', async () => {
  const off = ['--then', 'poweroff', '--at', '23:00']
  match(await nightly(...off), /^poweroff: 1\nis .* until 05:00, no wake, when idle \(schedule \d+\)\nwhere somebody/)
  equal((await lab.call('GET /procedures')).json.procedures.at(-1).steps, [{ command: 'poweroff', params: {} }])
  match(await printed('schedule', 'delete', 'poweroff: 1'), /\nwith it: task/)
  match(await nightly(...off, '--until', '1:00', '--name', 'Early'), /, until 01:00, no wake/)
  await printed('schedule', 'delete', 'Early')
  match(await nightly(...off, '--on', '2026-01-31'), /nightly: expected a time that is to come, got 2026-01-31 23:00/)
  match(await nightly(...off, '--then-after', 'success'), /nightly: expected a script with --then-after, got none/)
})

test('another end of a schedule changes the script of nightly alone, and no other procedure', async () => {
  await nightly('--run', 'sync', '--at', '22:30', '--until', '6:30', '--name', 'Two')
  const stepsOf = async () => (await lab.call('GET /procedures')).json.procedures.at(-1).steps
  const [step] = await stepsOf()
  await printed('procedure', 'edit', 'Two', '--steps', JSON.stringify([step, { command: 'poweroff', params: {} }]))
  const before = await stepsOf()
  match(await printed('schedule', 'edit', 'Two', '--until', '4:00'), /its task Two .* until 04:00; take it back/)
  equal(await stepsOf(), before)
  await printed('schedule', 'delete', 'Two')
})

test('schedule next without a name lists all that fire, the next one first', async () => {
  await printed('schedule', 'add', '--task', 'Night', '--name', 'Suspended', '--at', '0:30')
  await printed('schedule', 'suspend', 'Suspended')
  const { schedules } = JSON.parse(await printed('schedule', 'next', '--json'))
  const times = schedules.map(({ time }: { time: string }) => time)
  equal([times.length, times.toSorted()], [3, times])
  is((await printed('schedule', 'next', '--count', '1')).split('\n').length, 3)
})

test('what fires once is not moved into the past', async () => {
  const when = { years: 1 << 28, months: 1, days: 2, hours: 1 << 10, am_pm: 1, minutes: 0, week_days: 0, weeks: 0 }
  const once = { clients: ['127.0.5.1'], command: 'poweroff', params: {}, when }
  is((await lab.call('POST /schedule/command', once)).status, 200)
  const { id } = (await lab.call('GET /schedules')).json.schedules.at(-1)
  match(
    await printed('schedule', 'edit', String(id), '--on', '2026-01-31'),
    /^fleet: schedule edit: expected a time that is to come, got 2026-01-31 22:00: with --on another day\n/,
  )
  match(await printed('schedule', 'edit', String(id), '--on', '2038-01-03'), / fires once, on .*January 3, 2038 /)
})

test('a computer that does not exist is not deleted', async () => {
  is(await printed('computer', 'delete', '127.0.99.1', '--yes'), 'fleet: there is no computer 127.0.99.1\n')
})

test.run()
