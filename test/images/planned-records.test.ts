// The records of planned restores: stored together or not at all, and known by their ids, whatever their names are.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { masksOf } from '../../host/schedules/recurrence.ts'
import { failingMethods, failingStoreFile } from '../harness/failing-store.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import { call } from '../harness/rest-call.ts'

const store = { adapter: failingStoreFile, path: './data' }
const lab = await startLab({ repository: true, options: { store, limits: { waiting_parts_per_caller: 20 } } })
const good = await lab.computer()
await lab.addComputer('127.0.5.90')
await lab.create(good, { description: 'A system' }, { content: 'one' })
const payload = { image: 'linux', rooms: [1], disk: '1', partition: '1' }
const plan = (more: object = {}) => lab.call('POST /image/plan', { ...payload, ...more })
const plans = async () => (await lab.call('GET /image/plans')).json.plans

async function counts(): Promise<number[]> {
  const [tasks, procedures] = [await lab.call('GET /tasks'), await lab.call('GET /procedures')]
  const { schedules } = (await lab.call('GET /schedules')).json
  return [tasks.json.tasks.length, procedures.json.procedures.length, schedules.length]
}

const test = suite('records of planned restores')
test.after.each(() => failingMethods.clear())
test.after(() => lab.stop())

test('of a restore that the store cannot take, no task and no procedure stay', async () => {
  for (const method of ['schedules.add', 'schedules.addPlannedRestore']) failingMethods.add(method)
  is((await plan({ at: '22:00' })).status, 500)
  equal(await counts(), [0, 0, 0])
})

test('single computers are planned as rooms are, also those that a query finds', async () => {
  const other = '127.0.5.90'
  const own = { rooms: undefined, clients: [other] }
  const { rooms, computers } = (await plan({ ...own, dry_run: true })).json
  equal([rooms[0].computers, computers], [1, 1])
  is((await plan({ clients: [other], dry_run: true })).json.computers, 2)
  is((await plan({ rooms: undefined, where: `ip:${other}`, dry_run: true })).json.computers, 1)
  const unknown = await plan({ ...own, clients: ['10.9.9.8'] })
  equal([unknown.status, unknown.headers['x-reason']], [400, 'clients: there is no computer 10.9.9.8'])
  is((await plan({ rooms: undefined })).status, 400)
  await lab.call('POST /room/add', { name: 'Empty', netmask: '255.255.255.0', center: 1 })
  const { token: Authorization } = (await lab.call('POST /token/add', { name: 'two', role: 'operate', rooms: [2] }))
    .json
  is((await call(lab.host.ports.rest, 'POST /image/plan', { ...payload, ...own }, { Authorization })).status, 403)
  const { schedule } = (await plan({ ...own, at: '22:00' })).json
  equal((await lab.call('GET /tasks')).json.tasks[0].clients, [other])
  is((await lab.call('POST /image/unplan', { id: `${schedule}` })).status, 200)
})

test('a cancelled restore that was planned again does not come back by undo', async () => {
  const { schedule } = (await plan({ at: '22:00' })).json
  const undo = (await lab.call('POST /image/unplan', { id: `${schedule}` })).headers['x-undo-id']
  const again = (await plan({ at: '22:00', clients: ['127.0.5.90'], rooms: undefined })).json.schedule
  const name = (await lab.call('GET /schedules')).json.schedules[0].name
  const refused = await lab.call('POST /undo', { id: `${undo}` })
  const reason = `planned restore ${name}: it is planned again already, as schedule ${again}`
  equal([refused.status, refused.headers['x-reason']], [400, reason])
  is((await plans()).length, 1)
  // For another partition it is another restore.
  await lab.call('POST /image/unplan', { id: `${again}` })
  const other = (await plan({ at: '22:00', partition: '2' })).json.schedule
  is((await lab.call('POST /undo', { id: `${undo}` })).status, 200)
  equal((await plans()).map((each: { schedule: number }) => each.schedule).sort(), [schedule, other].sort())
  await lab.call('POST /image/unplan', { id: `${other}` })
  // Nor at the time at which it was, when another one is there since.
  const [{ task, name: planned, when }] = (await lab.call('GET /schedules')).json.schedules
  const later = { id: `${schedule}`, task: `${task}`, name: planned, when: { ...when, minutes: 30 } }
  const moved = await lab.call('POST /schedule/update', later)
  const third = (await plan({ at: '22:00' })).json.schedule
  const back = await lab.call('POST /undo', { id: `${moved.headers['x-undo-id']}` })
  match(String(back.headers['x-reason']), /it is planned again already, as schedule/)
  for (const id of [schedule, third]) await lab.call('POST /image/unplan', { id: `${id}` })
})

test('a plan of a day starts at that time of it, which is to come', async () => {
  const at = { at: '22:00', dry_run: true }
  is((await plan({ ...at, on: '2038-02-28' })).json.starts, new Date('2038-02-28T22:00').toISOString())
  for (const on of ['2038-02-31', '2020-02-01', '2038-13-01']) {
    const { headers } = await plan({ ...at, on })
    is(headers['x-reason'], `on: expected a day on which 22:00 is to come, got ${on}`)
  }
  is((await plan({ on: '2038-02-28' })).status, 400)
})

test('of a restore at once that may not run, nothing has been stored', async () => {
  failingMethods.add('tasks.delete')
  const job = jobIdOf(await lab.call('POST /poweroff?queue=1', { clients: ['127.0.5.90'] }))
  is((await plan()).status, 429)
  await lab.call('POST /job/cancel', { id: String(job) })
  equal(await counts(), [0, 0, 0])
})

test('a deletion that the store cannot take deletes nothing', async () => {
  const added = lab.event('schedule-added', {})
  const { schedule } = (await plan({ at: '22:00' })).json
  is((await added).schedule, schedule)
  const id = String(schedule)
  for (const method of ['tasks.delete', 'undo.keep']) failingMethods.add(method)
  is((await lab.call('POST /image/unplan', { id })).status, 500)
  equal([await counts(), (await plans()).length], [[1, 1, 1], 1])
  failingMethods.delete('undo.keep')
  is((await lab.call('POST /image/unplan', { id })).status, 200)
  equal(await counts(), [0, 0, 0])
})

test('two planned restores of the same name and account have each its own newest job', async () => {
  const when = masksOf(new Date(2040, 1, 1))
  const run = async ({ schedule, task }: { schedule: number; task: number }) => {
    const created = lab.event('job-created', { name: 'Nightly' })
    const record = { id: String(schedule), task: String(task), name: 'Nightly', type: 'task' }
    await lab.call('POST /schedule/update', record)
    const { job } = await created
    await lab.call('POST /job/cancel', { id: String(job) })
    await lab.call('POST /schedule/update', { ...record, when })
    return job
  }
  const [first, second] = [(await plan({ at: '22:00' })).json, (await plan({ at: '22:01' })).json]
  const jobs = [await run(first), await run(second)]
  const shown = (await plans()).map(({ name, job }: { name: string; job: number }) => [name, job])
  equal(
    shown,
    jobs.map(job => ['Nightly', job]),
  )
})

test.run()
