// Procedures: ordered steps, which steps are valid, and how they run.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { replyToNext, shellStep, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.17', rooms: true })
const { status, procedures, addProcedure, addTask } = testHost
const jobs = followJobs(testHost)

const test = suite('procedures')

test('a procedure is added with an empty 200; description and steps are optional', async () => {
  const response = await testHost.call('POST /procedure/add', { center: '1', name: 'Bare' })
  equal([response.status, response.text], [200, ''])
  equal((await procedures()).at(-1), { id: 1, center: 1, name: 'Bare', description: '', steps: [] })
})

test('a name can be used once in each center', async () => {
  is(await status('POST /procedure/add', { center: '1', name: 'Bare' }), 400)
  is(await status('POST /procedure/add', { center: '2', name: 'Bare' }), 200)
  is(await status('POST /procedure/add', { center: '99', name: 'Bare' }), 400)
})

test('a step names a command with /, - or _, or by an alias; the command is stored under its own name', async () => {
  const names = ['shell/run', 'shell-run', 'shell_run', 'run']
  await addProcedure(
    'Names',
    names.map(command => ({ ...shellStep('true'), command })),
  )
  equal(
    (await procedures()).at(-1).steps,
    names.map(() => shellStep('true')),
  )
})

const invalidSteps: Record<string, object> = {
  'with a command that does not exist': { command: 'nonsense', params: {} },
  'with a command that does nothing on a client': { command: 'scopes', params: {} },
  'with parameters of a wrong type': { command: 'shell-run', params: { run: 1, echo: true } },
  'with parameters that lack a key': { command: 'shell-run', params: { run: 'x' } },
  'with clients among the parameters': { command: 'poweroff', params: { clients: ['10.1.1.1'] } },
  'without parameters': { command: 'poweroff' },
  'with a procedure that does not exist': { procedure: 999 },
  'with an id that is a string': { procedure: '1' },
  'with a task': { task: 1 },
  'with an unknown key': { other: 1 },
  'with an unknown key besides command and parameters': { ...shellStep('true'), other: 1 },
  'with an unknown key besides a procedure': { procedure: 1, other: 1 },
}

for (const [name, step] of Object.entries(invalidSteps)) {
  test(`a step ${name} is 400 and nothing is added`, async () => {
    const before = (await procedures()).length
    const steps = [shellStep('true'), step]
    is(await status('POST /procedure/add', { center: '1', name: `Invalid: ${name}`, steps }), 400)
    is((await procedures()).length, before)
  })
}

test('an update replaces name, description and steps; absent keys stay as they are', async () => {
  const id = await addProcedure('Before', [shellStep('one')])
  const change = { procedure: String(id), center: '1', name: 'After' }
  is(await status('POST /procedure/update', { ...change, description: 'new' }), 200)
  is(await status('POST /procedure/update', { ...change, steps: [shellStep('two')] }), 200)
  equal(
    (await procedures()).find(procedure => procedure.id === id),
    { id, center: 1, name: 'After', description: 'new', steps: [shellStep('two')] },
  )
  is(await status('POST /procedure/update', { ...change, procedure: '999' }), 400)
  is(await status('POST /procedure/update', { ...change, name: 'Bare' }), 400)
})

test('an update that makes a loop is 400, also through other procedures', async () => {
  const a = await addProcedure('Loop a', [])
  const b = await addProcedure('Loop b', [{ procedure: a }])
  const c = await addProcedure('Loop c', [{ procedure: b }])
  const update = (procedure: number, name: string, to: number) =>
    status('POST /procedure/update', { procedure: String(procedure), center: '1', name, steps: [{ procedure: to }] })
  is(await update(a, 'Loop a', a), 400)
  is(await update(a, 'Loop a', c), 400)
  equal((await procedures()).find(({ id }) => id === a).steps, [])
})

test('deleting what a procedure or task names is 400', async () => {
  const inner = await addProcedure('Named', [])
  const outer = await addProcedure('Naming', [{ procedure: inner }])
  const task = await addTask('Task that names a procedure', [{ procedure: outer }])
  is(await status('POST /procedure/delete', { id: String(inner) }), 400)
  is(await status('POST /procedure/delete', { id: String(outer) }), 400)
  is(await status('POST /task/delete', { id: String(task) }), 200)
  is(await status('POST /procedure/delete', { id: String(outer) }), 200)
  is(await status('POST /procedure/delete', { id: String(inner) }), 200)
  is(await status('POST /procedure/delete', { id: String(inner) }), 400)
})

test('procedure/run runs the steps in order, also those of inner procedures, also in maintenance', async () => {
  const inner = await addProcedure('Inner', [shellStep('two')])
  const steps = [shellStep('one'), { procedure: inner }, { command: 'poweroff', params: {} }]
  const id = await addProcedure('Outer', steps)
  const addr = '127.0.17.4'
  const agent = await testHost.agent(addr)
  const response = await testHost.call('POST /procedure/run', { clients: [addr], procedure: String(id) })
  is(response.status, 200)
  await replyToNext(agent, '/run/schedule')
  equal((await replyToNext(agent, '/shell/run')).body, { run: 'one', echo: false })
  equal((await replyToNext(agent, '/shell/run')).body, { run: 'two', echo: false })
  await replyToNext(agent, '/poweroff')
  equal(
    (await jobs.parts(jobIdOf(response))).map(({ command }) => command),
    ['shell-run', 'shell-run', 'poweroff'],
  )
  is(await status('POST /procedure/run', { clients: [addr], procedure: '999' }), 400)
})

test.after(() => testHost.stop())
test.run()
