// Tasks: the computers for which they run, their steps, and updates.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { followJobs } from '../harness/job-results.ts'
import { shellStep, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.11', rooms: true })
const { status, tasks, addProcedure, addTask, runTask } = testHost
const jobs = followJobs(testHost)
const clientsOf = async (job: number) => (await jobs.parts(job)).map(({ client }) => client)

const test = suite('tasks')

test('a task runs for its scope, for its clients, or else for its center, and skips maintenance', async () => {
  const steps = [{ procedure: await addProcedure('One script', [shellStep('x')]) }]
  const all = ['127.0.11.1', '127.0.11.2', '127.0.11.3', '127.0.11.4']
  equal(await clientsOf(await runTask(await addTask('Center', steps))), all)
  const forRoom = await addTask('Room', steps, { scope: { type: 'room', id: 1 } })
  equal(await clientsOf(await runTask(forRoom)), all.slice(0, 2))
  const forComputer = await addTask('Computer', steps, { scope: { type: 'computer', id: 3 } })
  equal(await clientsOf(await runTask(forComputer)), [all[2]])
  const forClients = await runTask(await addTask('Clients', steps, { clients: [all[3], all[0]] }))
  equal(
    (await jobs.parts(forClients)).map(({ client, state, reason }) => [client, state, reason]),
    [
      [all[3], 'skipped', 'maintenance'],
      [all[0], 'queued', undefined],
    ],
  )
})

test('the computers of a scope are those that it has when the task runs', async () => {
  await testHost.call('POST /room/add', { name: 'Third', netmask: '255.255.255.0', center: 1 })
  const steps = [{ procedure: await addProcedure('Later', [shellStep('x')]) }]
  const id = await addTask('Later', steps, { scope: { type: 'room', id: 3 } })
  equal(await clientsOf(await runTask(id)), [])
  await testHost.addComputer('127.0.11.9', { room: 3 })
  equal(await clientsOf(await runTask(id)), ['127.0.11.9'])
})

test('a wake-up among the steps is done by the daemon at once', async () => {
  const wake = { command: 'wol', params: { type: 'broadcast' } }
  const steps = [{ procedure: await addProcedure('Wake', [wake, shellStep('x')]) }]
  const job = await runTask(await addTask('Wake', steps, { clients: ['127.0.11.9'] }))
  equal(
    (await jobs.parts(job)).map(({ command, state }) => [command, state]),
    [
      ['wol', 'sent'],
      ['shell-run', 'queued'],
    ],
  )
})

test('a task may name tasks; a loop, an unknown step and a command as a step are 400', async () => {
  const first = await addTask('First', [])
  const second = await addTask('Second', [{ task: first }])
  const change = { task: String(first), center: '1', name: 'First' }
  is(await status('POST /task/update', { ...change, steps: [{ task: second }] }), 400)
  is(await status('POST /task/update', { ...change, steps: [{ procedure: 999 }] }), 400)
  is(await status('POST /task/update', { ...change, steps: [shellStep('x')] }), 400)
  is(await status('POST /task/delete', { id: String(first) }), 400)
  is(await status('POST /task/add', { center: '1', name: 'First' }), 400)
  is(await status('POST /task/run', { task: '999' }), 400)
})

test('an update changes the scope or clients of a task; absent keys stay as they are', async () => {
  const id = await addTask('Change', [], { scope: { type: 'room', id: 1 } })
  const change = { task: String(id), center: '1', name: 'Changed' }
  const readTask = async () => (await tasks()).find(task => task.id === id)
  is(await status('POST /task/update', change), 200)
  equal((await readTask()).scope, { type: 'room', id: 1 })
  is(await status('POST /task/update', { ...change, clients: ['10.1.1.1'] }), 200)
  const target = { clients: ['10.1.1.1'], for: { kind: 'list', names: [], computers: 1 } }
  equal(await readTask(), { id, center: 1, name: 'Changed', description: '', steps: [], ...target })
})

test.after(() => testHost.stop())
test.run()
