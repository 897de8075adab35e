// Large runs of procedures and tasks: nested steps are counted before they are expanded, and lists show counts.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { shellStep, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.31', rooms: true })
const { addProcedure, addTask, status } = testHost
const jobs = followJobs(testHost)

const tenTimes = (step: object) => Array.from({ length: 10 }, () => step)

/** Adds a procedure of ten steps, a procedure that names it ten times, and so on; resolves to the last id. */
async function addNested(name: string, levels: number, steps: object[]): Promise<number> {
  let id = await addProcedure(`${name} 1`, steps)
  for (let level = 2; level <= levels; level += 1) {
    id = await addProcedure(`${name} ${level}`, tenTimes({ procedure: id }))
  }
  return id
}

const run = (procedure: number, clients = ['127.0.31.1']) =>
  testHost.call('POST /procedure/run', { clients, procedure: String(procedure) })

const test = suite('large runs')

test('a procedure whose nested steps are 100,000 commands is 400 with their number in the log', async () => {
  const id = await addNested('Hundred thousand', 5, tenTimes(shellStep('x')))
  is((await run(id)).status, 400)
  await testHost.logged(/steps: expected at most 1000, got 100000$/m)
  const task = await addTask('Hundred thousand', [{ procedure: id }, { procedure: id }])
  is(await status('POST /task/run', { task: String(task) }), 400)
  await testHost.logged(/steps: expected at most 1000, got 200000$/m)
  await testHost.call('POST /schedule/create', { task: String(task), name: 'Large', type: 'task' })
  await testHost.logged(/warn {2}schedules: \d+ Large: steps: expected at most 1000, got 200000/)
  equal((await testHost.call('GET /jobs')).json.jobs, [])
})

test('fifty levels of ten empty procedures are no command, and a command after them is one', async () => {
  const id = await addNested('Empty', 50, [])
  const steps = [{ procedure: id }, shellStep('x'), { procedure: id }]
  const response = await run(await addProcedure('Around empty', steps))
  is(response.status, 200)
  is((await jobs.parts(jobIdOf(response))).length, 1)
})

test('a number of steps with fifty digits is counted', async () => {
  is((await run(await addNested('Endless', 50, tenTimes(shellStep('x'))))).status, 400)
  await testHost.logged(/steps: expected at most 1000, got \d(\.\d+)?e\+(49|50)$/m)
})

test('1,000 steps are run; GET /jobs has 20 commands of them and their number', async () => {
  const id = await addNested('Thousand', 3, tenTimes(shellStep('x')))
  const job = jobIdOf(await run(id))
  const [entry] = (await testHost.call('GET /jobs?limit=1')).json.jobs
  equal([entry.id, entry.commands, entry.steps], [job, Array(20).fill('shell-run'), 1000])
  is(entry.counts.queued, 1000)
  const detail = (await testHost.call(`GET /jobs/${job}?after=998`)).json
  equal([detail.commands.length, detail.steps], [20, 1000])
  equal([detail.parts.length, detail.parts[0].command, detail.parts[0].step], [1, 'shell-run', 999])
})

test('a job of 20 steps has all its commands and no number', async () => {
  const id = await addProcedure('Twenty', [...tenTimes(shellStep('x')), ...tenTimes(shellStep('y'))])
  await run(id)
  const [entry] = (await testHost.call('GET /jobs?limit=1')).json.jobs
  equal([entry.commands.length, entry.steps], [20, undefined])
})

test('the steps of a run keep their order', async () => {
  const inner = await addProcedure('Inner', [shellStep('a'), shellStep('b')])
  const reboot = { command: 'reboot', params: {} }
  const steps = [{ procedure: inner }, reboot, { procedure: inner }]
  const parts = await jobs.parts(jobIdOf(await run(await addProcedure('Order', steps))))
  equal(
    parts.map(({ command }) => command),
    ['shell-run', 'shell-run', 'reboot', 'shell-run', 'shell-run'],
  )
})

test('steps times clients over 100,000 is 400; others are answered while 100,000 parts are added', async () => {
  const id = await addNested('Wide', 3, tenTimes(shellStep('x')))
  const clients = Array.from({ length: 101 }, (_, index) => `10.77.0.${index + 1}`)
  is((await run(id, clients)).status, 400)
  await testHost.logged(/run: expected at most 100000 parts \(steps times clients\), got 101000$/m)
  let answered = 0
  const running = run(id, clients.slice(1)).then(({ status }) => ({ status, answeredBefore: answered }))
  let isRunning = true
  void running.finally(() => {
    isRunning = false
  })
  while (isRunning) {
    await testHost.call('GET /healthz')
    answered += 1
  }
  const { status, answeredBefore } = await running
  is(status, 200)
  ok(answeredBefore >= 1, `expected answers during the run, got ${answeredBefore}`)
})

test('parameters of more than eight of the largest commands in one run are 400', async () => {
  const id = await addProcedure('Long script', [shellStep('x'.repeat(110_000))])
  const repeated = await addProcedure('Long scripts', tenTimes({ procedure: id }))
  is((await run(id)).status, 200)
  is((await run(repeated)).status, 400)
  await testHost.logged(/steps: expected parameters of at most 1042976 characters, got 11\d{5}$/m)
})

test.after(() => testHost.stop())
test.run()
