// The options of tasks: how they are stored, and what they mean when the task runs.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { nextTime } from '../../host/schedules/recurrence.ts'
import { followJobs } from '../harness/job-results.ts'
import { replyToNext, shellStep, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.65', rooms: true })
const { status, tasks, addProcedure, addTask, runTask } = testHost
const jobs = followJobs(testHost)
const [first, second] = ['127.0.65.1', '127.0.65.2'] as const
const clients = [first, second]
const lastTask = async () => (await tasks()).at(-1)

async function cancelAll(): Promise<void> {
  for (const { id } of (await testHost.call('GET /jobs')).json.jobs)
    await status('POST /job/cancel', { id: String(id) })
}

const test = suite('options of tasks')
test.after(() => testHost.stop())

test('a task keeps its options; an update without them keeps them, one with others replaces all', async () => {
  const then = 'poweroff'
  const options = { wake: true, when_idle: false, until: '06:30', batch: 20, then }
  const id = String(await addTask('Night', [], { options }))
  equal((await lastTask()).options, options)
  const change = { task: id, center: '1', name: 'Night' }
  is(await status('POST /task/update', change), 200)
  equal((await lastTask()).options, options)
  is(await status('POST /task/update', { ...change, options: { batch: 3 } }), 200)
  equal((await lastTask()).options, { batch: 3 })
  is(await status('POST /task/update', { ...change, options: {} }), 200)
  equal((await lastTask()).options, {})
})

test('unknown options and invalid values are 400', async () => {
  const then = 'reboot'
  const invalid = [
    { sleep: true },
    { wake: 1 },
    { when_idle: 'yes' },
    { until: '6:30' },
    { until: '24:00' },
    { until: 390 },
    { batch: 0 },
    { batch: 1.5 },
    { then },
  ]
  for (const options of invalid) is(await status('POST /task/add', { center: '1', name: 'X', options }), 400)
})

test('`until` is the next such time after the start, also after midnight', () => {
  const at = (hours: number, minutes: number, day = 10) => new Date(2026, 10, day, hours, minutes).getTime()
  is(nextTime('06:30', at(22, 0)), at(6, 30, 11))
  is(nextTime('23:15', at(22, 0)), at(23, 15))
  is(nextTime('22:00', at(22, 0)), at(22, 0, 11))
})

test('`then` is a last step, with what it requires of the last step that has it', async () => {
  const restore = {
    disk: '1',
    partition: '2',
    name: 'win',
    repository: '10.1.1.1',
    type: 'UNICAST',
    profile: '0',
    id: '1',
  }
  const steps = [{ command: 'image-restore', params: restore }, shellStep('sync')]
  const procedure = await addProcedure('Restore', steps)
  const stepsAfter = async (then: string) => {
    const task = await addTask(`Restore, ${then}`, [{ procedure }], { clients, options: { then } })
    const { json } = await testHost.call(`GET /jobs/${await runTask(task)}`)
    return [json.commands, json.arguments.at(-1)]
  }
  equal(await stepsAfter('session'), [['image-restore', 'shell-run', 'session'], { disk: '1', partition: '2' }])
  equal(await stepsAfter('poweroff'), [['image-restore', 'shell-run', 'poweroff'], {}])
  await cancelAll()
})

test('a session after steps without a partition is refused with the reason', async () => {
  const then = 'session'
  const procedure = await addProcedure('Script', [shellStep('sync')])
  const task = await addTask('Script, session', [{ procedure }], { clients, options: { then } })
  const { status: code, headers } = await testHost.call('POST /task/run', { task: String(task) })
  is(code, 400)
  match(String(headers['x-reason']), 'options.then: expected a step with disk and partition before session, got none')
})

test('with `wake` computers that are off are woken, unless they are skipped', async () => {
  const procedure = await addProcedure('Later', [shellStep('true')])
  const woken: string[] = []
  const targets = [first, '127.0.65.4']
  const task = await addTask('Woken', [{ procedure }], { clients: targets, options: { wake: true } })
  const sent = testHost.event('wake-sent', { addr: first })
  const job = await runTask(task)
  await sent
  for (const { addr, state } of (await testHost.call('GET /clients')).json.clients)
    if (state === 'WOL_SENT') woken.push(addr)
  equal(woken, [first])
  equal(
    (await jobs.parts(job)).map(({ client, state }) => [client, state]),
    [
      [first, 'queued'],
      ['127.0.65.4', 'skipped'],
    ],
  )
  await cancelAll()
})

test('`batch` lets at most so many computers run at once', async () => {
  const procedure = await addProcedure('Batch', [shellStep('true')])
  const [one, two] = [await testHost.agent(first), await testHost.agent(second)]
  const job = await runTask(await addTask('Batch', [{ procedure }], { clients, options: { batch: 1 } }))
  for (const agent of [one, two]) await replyToNext(agent, '/run/schedule')
  const states = async () => (await jobs.parts(job)).map(({ state }) => state)
  await one.next('/shell/run')
  equal(await states(), ['sent', 'queued'])
  one.reply({ status: 200, body: { out: '' } })
  await two.next('/shell/run')
  equal(await states(), ['success', 'sent'])
})

test.run()
