// Procedures and tasks: ordered steps, whom they are for, and how they run.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { Agent } from '../harness/simulated-agent.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()
await lab.addComputer('127.0.11.1')
await lab.addComputer('127.0.11.2')
await lab.call('POST /room/add', { name: 'Second', netmask: '255.255.255.0', center: 1 })
await lab.addComputer('127.0.11.3', { room: 2 })
await lab.addComputer('127.0.11.4', { room: 2, maintenance: true })
await lab.call('POST /center/add', { name: 'Other center' })

const run = (text: string) => ({ command: 'shell-run', params: { run: text, echo: false } })
const status = async (route: string, payload: object) => (await lab.call(route, payload)).status
const procedures = async () => (await lab.call('GET /procedures')).json.procedures
const tasks = async () => (await lab.call('GET /tasks')).json.tasks
const partsOf = async (job: unknown) => (await lab.call(`GET /jobs/${job}`)).json.parts

/** Adds a procedure and gives its id. */
async function procedure(name: string, steps: object[]): Promise<number> {
  const added = await lab.call('POST /procedure/add', { center: '1', name, steps })
  equal([added.status, added.text], [200, ''], lab.log.at(-1))
  return (await procedures()).at(-1).id
}

async function task(name: string, steps: object[], whom: object = {}): Promise<number> {
  is(await status('POST /task/add', { center: '1', name, steps, ...whom }), 200, lab.log.at(-1))
  return (await tasks()).at(-1).id
}

async function answered(agent: Agent, path: string) {
  const request = await agent.next(path)
  agent.answer(200)
  return request
}

const test = suite('procedures')

test('a procedure is added with an empty 200; description and steps may be left out', async () => {
  const { status: added, text } = await lab.call('POST /procedure/add', { center: '1', name: 'Bare' })
  equal([added, text], [200, ''])
  equal((await procedures()).at(-1), { id: 1, center: 1, name: 'Bare', description: '', steps: [] })
})

test('a procedure with the same name and center cannot be added twice, in another center it can', async () => {
  is(await status('POST /procedure/add', { center: '1', name: 'Bare' }), 400)
  is(await status('POST /procedure/add', { center: '2', name: 'Bare' }), 200)
  is(await status('POST /procedure/add', { center: '99', name: 'Bare' }), 400)
})

test('a step names a command with /, - or _, or by an alias; it is kept under its own name', async () => {
  const names = ['shell/run', 'shell-run', 'shell_run', 'run']
  await procedure(
    'Names',
    names.map(command => ({ ...run('true'), command })),
  )
  equal(
    (await procedures()).at(-1).steps,
    names.map(() => run('true')),
  )
})

const notSteps: Record<string, object> = {
  'a command that does not exist': { command: 'nonsense', params: {} },
  'a command that does nothing on a client': { command: 'scopes', params: {} },
  'parameters that the command does not take': { command: 'shell-run', params: { run: 1, echo: true } },
  'parameters that lack a key': { command: 'shell-run', params: { run: 'x' } },
  'clients among the parameters': { command: 'poweroff', params: { clients: ['10.1.1.1'] } },
  'no parameters': { command: 'poweroff' },
  'a procedure that does not exist': { procedure: 999 },
  'an id in text': { procedure: '1' },
  'a task': { task: 1 },
  'nothing known': { other: 1 },
}

for (const [name, step] of Object.entries(notSteps)) {
  test(`${name} is no step: 400, and nothing is added`, async () => {
    const before = (await procedures()).length
    is(await status('POST /procedure/add', { center: '1', name: `Not: ${name}`, steps: [run('true'), step] }), 400)
    is((await procedures()).length, before)
  })
}

test('an update replaces name, description and steps; what is not given stays', async () => {
  const id = await procedure('Before', [run('one')])
  const change = { procedure: String(id), center: '1', name: 'After' }
  is(await status('POST /procedure/update', { ...change, description: 'said' }), 200)
  is(await status('POST /procedure/update', { ...change, steps: [run('two')] }), 200)
  equal(
    (await procedures()).find((one: { id: number }) => one.id === id),
    {
      ...{ id, center: 1, name: 'After', description: 'said', steps: [run('two')] },
    },
  )
  is(await status('POST /procedure/update', { ...change, procedure: '999' }), 400)
  is(await status('POST /procedure/update', { ...change, name: 'Bare' }), 400)
})

test('a loop is a failure when it is added by an update, also through others', async () => {
  const a = await procedure('Loop a', [])
  const b = await procedure('Loop b', [{ procedure: a }])
  const c = await procedure('Loop c', [{ procedure: b }])
  const change = (procedure: number, name: string, to: number) =>
    status('POST /procedure/update', { procedure: String(procedure), center: '1', name, steps: [{ procedure: to }] })
  is(await change(a, 'Loop a', a), 400)
  is(await change(a, 'Loop a', c), 400)
  equal((await procedures()).find(({ id }: { id: number }) => id === a).steps, [])
})

test('deleting what a procedure, task or schedule names is 400', async () => {
  const named = await procedure('Named', [])
  const naming = await procedure('Naming', [{ procedure: named }])
  const by = await task('By a task', [{ procedure: naming }])
  is(await status('POST /procedure/delete', { id: String(named) }), 400)
  is(await status('POST /procedure/delete', { id: String(naming) }), 400)
  is(await status('POST /task/delete', { id: String(by) }), 200)
  is(await status('POST /procedure/delete', { id: String(naming) }), 200)
  is(await status('POST /procedure/delete', { id: String(named) }), 200)
  is(await status('POST /procedure/delete', { id: String(named) }), 400)
})

test('procedure/run runs its steps in order, those of procedures in it too, also in maintenance', async () => {
  const inner = await procedure('Inner', [run('two')])
  const id = await procedure('Outer', [run('one'), { procedure: inner }, { command: 'poweroff', params: {} }])
  const addr = '127.0.11.4'
  const agent = await lab.agent(addr)
  const { status: ran, headers } = await lab.call('POST /procedure/run', { clients: [addr], procedure: String(id) })
  is(ran, 200)
  await answered(agent, '/run/schedule')
  equal((await answered(agent, '/shell/run')).body, { run: 'one', echo: false })
  equal((await answered(agent, '/shell/run')).body, { run: 'two', echo: false })
  await answered(agent, '/poweroff')
  equal(
    (await partsOf(headers['x-job-id'])).map(({ command }: { command: string }) => command),
    ['shell-run', 'shell-run', 'poweroff'],
  )
  is(await status('POST /procedure/run', { clients: [addr], procedure: '999' }), 400)
})

test.run()

const whom = suite('tasks')
const clientsOf = async (job: unknown) => (await partsOf(job)).map(({ client }: { client: string }) => client)
const runTask = async (id: number) => (await lab.call('POST /task/run', { task: String(id) })).headers['x-job-id']

whom(
  'a task is for its scope, its clients, or without both for its center; computers in maintenance are skipped',
  async () => {
    const steps = [{ procedure: await procedure('For whom', [run('x')]) }]
    const all = ['127.0.11.1', '127.0.11.2', '127.0.11.3', '127.0.11.4']
    equal(await clientsOf(await runTask(await task('Center', steps))), all)
    equal(
      await clientsOf(await runTask(await task('Room', steps, { scope: { type: 'room', id: 1 } }))),
      all.slice(0, 2),
    )
    equal(await clientsOf(await runTask(await task('Computer', steps, { scope: { type: 'computer', id: 3 } }))), [
      all[2],
    ])
    const listed = await runTask(await task('Listed', steps, { clients: [all[3], all[0]] }))
    equal(
      (await partsOf(listed)).map(({ client, state, reason }: Record<string, string>) => [client, state, reason]),
      [
        [all[3], 'skipped', 'maintenance'],
        [all[0], 'queued', undefined],
      ],
    )
  },
)

whom('whom a scope means is resolved when the task runs', async () => {
  await lab.call('POST /room/add', { name: 'Third', netmask: '255.255.255.0', center: 1 })
  const id = await task('Later', [{ procedure: await procedure('Later', [run('x')]) }], {
    scope: { type: 'room', id: 3 },
  })
  equal(await clientsOf(await runTask(id)), [])
  await lab.addComputer('127.0.11.9', { room: 3 })
  equal(await clientsOf(await runTask(id)), ['127.0.11.9'])
})

whom('a wake-up among the steps is done by the daemon at once', async () => {
  const wake = { command: 'wol', params: { type: 'broadcast' } }
  const id = await task('Wake', [{ procedure: await procedure('Wake', [wake, run('x')]) }], { clients: ['127.0.11.9'] })
  const job = await runTask(id)
  equal(
    (await partsOf(job)).map(({ command, state }: Record<string, string>) => [command, state]),
    [
      ['wol', 'success'],
      ['shell-run', 'queued'],
    ],
  )
})

whom('a task may name tasks; a loop, an unknown step, a command as a step are 400', async () => {
  const first = await task('First', [])
  const second = await task('Second', [{ task: first }])
  const change = { task: String(first), center: '1', name: 'First' }
  is(await status('POST /task/update', { ...change, steps: [{ task: second }] }), 400)
  is(await status('POST /task/update', { ...change, steps: [{ procedure: 999 }] }), 400)
  is(await status('POST /task/update', { ...change, steps: [run('x')] }), 400)
  is(await status('POST /task/delete', { id: String(first) }), 400)
  is(await status('POST /task/add', { center: '1', name: 'First' }), 400)
  is(await status('POST /task/run', { task: '999' }), 400)
})

whom('an update changes whom a task is for, and leaves what is not given', async () => {
  const id = await task('Change', [], { scope: { type: 'room', id: 1 } })
  const change = { task: String(id), center: '1', name: 'Changed' }
  is(await status('POST /task/update', change), 200)
  const found = async () => (await tasks()).find((one: { id: number }) => one.id === id)
  equal((await found()).scope, { type: 'room', id: 1 })
  is(await status('POST /task/update', { ...change, clients: ['10.1.1.1'] }), 200)
  equal(await found(), { id, center: 1, name: 'Changed', description: '', steps: [], clients: ['10.1.1.1'] })
})

whom.after(() => lab.stop())
whom.run()
