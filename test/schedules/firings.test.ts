// How each firing of a schedule went is kept, with who did not succeed and why.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

process.env.TZ = 'Europe/Madrid'
const clock = createManualClock('2026-03-02T08:00:30')
const lab = await startLab({ subnet: '127.0.134', rooms: true, clock })
const shell = openShellOf(lab)
const [one = '', two = '', three = '', four = ''] = [1, 2, 3, 4].map(number => `127.0.134.${number}`)

const everyDay = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff, am_pm: 0 }
const daily = (hour: number) => ({ ...everyDay, hours: 1 << hour, minutes: 0 })
const script = { command: 'shell-run', params: { run: 'true', echo: true } }

const firingsOf = async (id: number, host: TestHost = lab) =>
  (await host.call(`GET /schedule/firings?id=${id}`)).json.firings
const lastOf = async (id: number, host: TestHost = lab) =>
  (await host.call('GET /schedules')).json.schedules.find((row: { id: number }) => row.id === id).last

/** Runs at once, and resolves to the id of the schedule when its job has ended. */
async function runNow(target: object, command: object = script) {
  const finished = lab.event('job-finished')
  const id = await lab.add('POST /schedule/command', { ...target, ...command })
  await finished
  return id
}

const test = suite('firings')
test.after(async () => {
  shell.remove()
  await lab.stop()
})

test('a firing has its job, and the computers that did not succeed, by reason', async () => {
  const others = { '/refresh': { status: 200 }, '/run/schedule': { status: 200 } }
  await lab.agent(one, { auto: { ...others, '/shell/run': { status: 200, body: { out: '' } } } })
  await lab.agent(two, { auto: { ...others, '/shell/run': { status: 500 } } })
  const parts = [one, two].map(addr => lab.event('job-part', { addr }))
  const finished = lab.event('job-finished')
  const id = await lab.add('POST /schedule/command', { clients: [one, two, three, four], ...script })
  const running = await lastOf(id)
  equal([running.state, running.computers, running.waiting > 0, running.ended], ['running', 4, true, undefined])
  await Promise.all(parts)
  await lab.call('POST /job/cancel', { id: String(running.job) })
  await finished
  const [{ time, ended, ...firing }] = await firingsOf(id)
  equal([time, ended], [new Date(clock.now()).toISOString(), new Date(clock.now()).toISOString()])
  equal(firing, {
    ...{ schedule: id, name: 'shell-run', state: 'ended', job: running.job },
    ...{ computers: 4, succeeded: 1, failed: 1, not_run: 2, waiting: 0 },
    problems: [
      { state: 'failure', command: 'shell-run', reason: 'agent replied 500', computers: 1, clients: [two] },
      { state: 'cancelled', command: 'shell-run', reason: 'by request', computers: 1, clients: [three] },
      { state: 'skipped', command: 'shell-run', reason: 'maintenance', computers: 1, clients: [four] },
    ],
  })
  equal(await lastOf(id), { time, ended, ...firing })
  is((await lab.call(`GET /jobs/${running.job}`)).json.schedule, id)
})

test('fleet night prints how they went, which computers did not succeed and why, and what waits until when', async () => {
  const part = lab.event('job-part', { addr: two })
  const id = await lab.add('POST /schedule/command', { clients: [two, three], ...script })
  await part
  const { job } = await lastOf(id)
  const failed = lab.event('job-part', { addr: two })
  await lab.call('POST /shell/run', { clients: [two], ...script.params })
  await failed
  await lab.call('POST /shell/run', { clients: [three, four], ...script.params })
  await lab.call('POST /wol', { clients: [two], type: 'broadcast' })
  const { code, out } = await shell.fleet('night', '--since', '9999d')
  const lines = out.split('\n').map(line => line.replaceAll(/(?<= {2}) +|127.0.134.| +$/g, ''))
  equal(
    [code, lines],
    [
      0,
      [
        'DUE  WHAT  OUTCOME  ENDED  JOB',
        `2026-03-02 08:00:30  shell-run  1 of 4, 1 failed, 2 not run  2026-03-02 08:00:30  ${job - 1}`,
        `2026-03-02 08:00:30  shell-run  0 of 2, 1 failed, 1 not yet  ${job}`,
        '',
        'Did not succeed',
        `job ${job - 1} shell-run: pc-2 shell-run: agent replied 500`,
        `job ${job - 1} shell-run: pc-3 shell-run: cancelled, by request`,
        `job ${job - 1} shell-run: pc-4 shell-run: skipped, in maintenance`,
        `job ${job} shell-run: pc-2 shell-run: agent replied 500`,
        '',
        'Did not succeed in other jobs',
        `job ${job + 1} shell-run by admin: pc-2 shell-run: agent replied 500`,
        `job ${job + 2} shell-run by admin: pc-[3-4] shell-run: skipped, not connected`,
        'where an agent replied a status only, its log says why: on Linux, journalctl -u fleet-agent on that computer',
        '',
        'Still waits',
        `job ${job} shell-run: pc-3 shell-run: off, until 2026-03-02 08:15`,
        '',
        'now: 2 on, 2 off (fleet clients --state off); 1 failure that nobody has seen: fleet failures',
        '',
      ],
    ],
  )
  const none = await shell.fleet('night')
  match(none.out, /^no schedule was due since \d{4}-\d\d-\d\d 18:00:00\n/)
  equal((await shell.fleet('night', '--since', 'yesterday')).code, 2)
  // Of a schedule that is deleted, its job is not.
  const { error } = await shell.fleet('schedule', 'delete', String(id))
  is(error, `fleet: warning: job ${job} still waits on 1 computer: fleet job cancel ${job}\n`)
  await lab.call('POST /job/cancel', { id: String(job) })
  // What a retry has done is done.
  const agent = await lab.agent(three, { auto: { '*': { status: 200, body: { out: '' } } } })
  const finished = lab.event('job-finished')
  const retry = jobIdOf(await lab.call('POST /job/retry', { id: String(job + 2) }))
  await finished
  const others = (await shell.fleet('night', '--since', '9999d')).out
  match(others, new RegExp(`job ${retry} shell-run by admin: pc-127.0.134.4 .*skipped`))
  is(others.includes(`job ${job + 2} `), false)
  const gone = lab.event('client-gone', { addr: three })
  agent.close()
  await gone
})

test('a firing that finds no computer, or is refused, is kept with the reason', async () => {
  const none = await runNow({ where: 'tag:none' })
  const { state, reason, computers } = await lastOf(none)
  equal([state, reason, computers], ['empty', 'no computer was found', 0])
  const logged = lab.logged(/there is no task 77/)
  const missing = await lab.add('POST /schedule/create', { task: '77', name: 'Nothing', type: 'task' })
  await logged
  const refused = await lastOf(missing)
  equal([refused.state, refused.reason, 'job' in refused], ['refused', 'there is no task 77', false])
})

test('of each schedule the last 30 firings are kept, for 30 days', async () => {
  const id = await lab.add('POST /schedule/command', { where: 'tag:none', ...script, when: daily(9) })
  for (let day = 3; day < 35; day += 1) {
    const finished = lab.event('job-finished')
    await clock.advanceTo(new Date(2026, 2, day, 9))
    await finished
    await lab.logged(/run started/)
  }
  const since = '2026-04-01T00:00:00Z'
  const recent = async () => (await lab.call(`GET /schedule/firings?since=${since}`)).json.firings
  while ((await recent()).length < 3) await new Promise(setImmediate)
  const firings = await firingsOf(id)
  is(firings.length, 30)
  equal([firings[0].time, firings.at(-1).time], ['2026-04-03T07:00:00.000Z', '2026-03-05T08:00:00.000Z'])
  is((await lab.call('GET /schedule/firings?since=yesterday')).status, 400)
  await lab.call('POST /schedule/delete', { id: String(id) })
  is((await recent()).length, 3, 'also of a schedule that is gone')
})

test('a limited caller sees the firings of its schedules only', async () => {
  const { token } = await lab.addToken('assistant', 'operate', { rooms: [1] })
  const headers = { Authorization: token }
  equal((await lab.call('GET /schedule/firings', undefined, headers)).json, { firings: [] })
  await lab.call('POST /schedule/command', { where: 'center_id:1', ...script }, headers)
  const { firings } = (await lab.call('GET /schedule/firings', undefined, headers)).json
  equal([firings.length, firings[0].computers], [1, 2])
})

test('firings that were missed, and jobs that ended unseen, are kept over a restart and in a backup', async () => {
  const options = { store: { path: './data' } }
  const first = await startTestHost({ options, clock: createManualClock('2026-05-04T08:00:00') })
  await first.addComputer('127.0.134.9')
  const target = { clients: ['127.0.134.9'], ...script }
  await first.call('POST /schedule/command', { ...target, when: daily(9) })
  await first.call('POST /schedule/command', target)
  is((await lastOf(2, first)).state, 'running')
  await first.stop('keep')
  const second = await startTestHost({
    ...{ options, folder: first.folder, clock: createManualClock('2026-05-06T12:00:00') },
  })
  try {
    const missed = await firingsOf(1, second)
    equal(
      missed.map(({ time, state, reason }: Record<string, string>) => [time, state, reason]),
      [6, 5, 4].map(day => [`2026-05-0${day}T07:00:00.000Z`, 'missed', 'the daemon was not running']),
    )
    await second.call('POST /job/cancel', { id: String((await lastOf(2, second)).job) })
    const backup = (await second.call('GET /backup')).text
    match(backup, /"collection":"firings"/)
  } finally {
    await second.stop()
  }
})

test.run()
