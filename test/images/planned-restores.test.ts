// Restores of an image in rooms: the preview, the plan, what runs, and the report of the job.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { nextTimeOfDay } from '../../host/images/planned-restores/service.ts'
import { masksOf } from '../../host/schedules/recurrence.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { replyToNext, startLab } from '../harness/lab.ts'
import { serverAddress } from '../harness/lab-images.ts'
import { call } from '../harness/rest-call.ts'

const lab = await startLab({ repository: true })
const jobs = followJobs(lab)
const [good, bad] = [await lab.computer(), await lab.computer()]
const off = '127.0.5.90'
await lab.addComputer(off, { maintenance: true })
await lab.create(good, { description: 'A system' }, { content: 'one' })
await lab.call('POST /room/add', { name: 'Empty', netmask: '255.255.255.0', center: 1 })

const payload = { image: 'linux', rooms: [1], disk: '1', partition: '1' }
const plan = (more: object = {}) => lab.call('POST /image/plan', { ...payload, ...more })
const reasonOf = async (more: object) => {
  const { status, headers } = await plan(more)
  return `${status} ${headers['x-reason']}`
}
const counts = async () => {
  const [tasks, procedures] = [await lab.call('GET /tasks'), await lab.call('GET /procedures')]
  const { schedules } = (await lab.call('GET /schedules')).json
  return [tasks.json.tasks.length, procedures.json.procedures.length, schedules.length]
}

const test = suite('restores in rooms')
test.after(() => lab.stop())

test('a time of the day is the next one, and its masks are those of this minute only', () => {
  const evening = new Date(2026, 11, 31, 22, 0)
  equal(nextTimeOfDay('06:30', evening), new Date(2027, 0, 1, 6, 30))
  equal(nextTimeOfDay('22:00', evening), new Date(2027, 0, 1, 22, 0))
  const masks = { years: 65536, months: 2048, weeks: 0, week_days: 0, days: 2 ** 30, hours: 1024, am_pm: 1, minutes: 0 }
  equal(masksOf(evening), masks)
})

test('the preview counts the computers of each room, says who would get nothing, and stores nothing', async () => {
  const { status, json } = await plan({ dry_run: true, at: '22:00', until: '06:30' })
  is(status, 200)
  const { starts, until, ...rest } = json
  is(until, nextTimeOfDay('06:30', new Date(starts)).toISOString())
  equal(rest, {
    image: 'linux',
    repository: serverAddress,
    disk: '1',
    partition: '1',
    system: 'Debian 12',
    computers: 3,
    content: [
      { system: 'Debian 12', filesystem: 'EXT4', another_system: false, computers: 2 },
      { system: '', filesystem: '', another_system: false, computers: 1 },
    ],
    overwrites: 0,
    rooms: [{ id: 1, name: 'Room', center: 'Center', computers: 3, off: 1, in_use: 0, refused: 1 }],
    refused: [{ client: off, name: `pc-${off}`, room: 'Room', reason: 'maintenance' }],
  })
  const none = (await plan({ dry_run: true, partition: '7' })).json.refused
  equal(none.map(({ reason }: { reason: string }) => reason).sort(), [
    'disk 1 has no partition 7',
    'disk 1 has no partition 7',
    'maintenance',
  ])
  equal(await counts(), [0, 0, 0])
})

test('an unknown image or room, a room without computers and invalid values are 400', async () => {
  is(await reasonOf({ image: 'win' }), '400 image: there is no image win')
  is(await reasonOf({ rooms: [1, 9] }), '400 rooms: there is no room 9')
  is(await reasonOf({ rooms: [2] }), '400 rooms: expected at least one computer, got none')
  for (const more of [
    { at: '7:00' },
    { disk: 'a' },
    { partition: '0' },
    { rooms: [] },
    { until: '6' },
    { batch: 0 },
    { x: 1 },
  ]) {
    match(await reasonOf(more), /^400 /)
  }
  equal(await counts(), [0, 0, 0])
})

test('a plan is a task with its options, and a schedule that fires once; deleting it leaves nothing', async () => {
  const options = { wake: true, when_idle: true, until: '06:30', batch: 20 }
  const [first, second] = [await plan({ at: '22:00', ...options }), await plan({ at: '22:00', partition: '2' })]
  equal([first.status, second.status, await counts()], [200, 200, [2, 2, 2]])
  const { plans } = (await lab.call('GET /image/plans')).json
  const { name, next, ...entry } = plans[0]
  match(name, /^linux \d{4}-\d\d-\d\d 22:00$/)
  is(plans[1].name, `${name} (2)`)
  is(next, first.json.starts)
  const { schedule, task } = first.json
  equal(entry, { schedule, task, image: 'linux', disk: '1', partition: '1', computers: 3, suspended: false, options })
  is((await lab.call(`GET /schedule/next?id=${schedule}`)).json.next.length, 1)
  for (const { json } of [first, second])
    is((await lab.call('POST /image/unplan', { id: `${json.schedule}` })).status, 200)
  is((await lab.call('POST /image/unplan', { id: '99' })).status, 400)
  equal(await counts(), [0, 0, 0])
})

test('what is planned of the same night is named, and the same once more is refused', async () => {
  // Of today one of the two may have passed.
  const on = '2038-02-28'
  const { schedule, starts } = (await plan({ on, at: '22:00' })).json
  const again = `400 at: it is planned already: schedule ${schedule}, for 3 of these computers`
  equal([await reasonOf({ on, at: '22:00' }), await reasonOf({ on, at: '22:00', dry_run: true })], [again, again])
  const planned = [{ schedule, image: 'linux', starts, computers: 3 }]
  equal((await plan({ on, at: '23:00', dry_run: true })).json.planned, planned)
  is((await plan({ on, at: '23:00', partition: '2', dry_run: true })).json.planned, undefined)
  await lab.call('POST /image/unplan', { id: `${schedule}` })
  equal(await counts(), [0, 0, 0])
})

test('plans of one minute that are made at the same time have names of their own', async () => {
  const plans = await Promise.all(['1', '2', '3'].map(partition => plan({ at: '22:00', partition })))
  const { tasks } = (await lab.call('GET /tasks')).json
  equal(
    [plans.map(({ status }) => status), new Set(tasks.map(({ name }: { name: string }) => name)).size],
    [[200, 200, 200], 3],
  )
  for (const { json } of plans) await lab.call('POST /image/unplan', { id: `${json.schedule}` })
  equal(await counts(), [0, 0, 0])
})

test('a schedule is a plan when a plan has made it, whatever its name, its task and its procedure are', async () => {
  const add = async (route: string, record: object) => Number((await lab.call(route, record)).headers['x-id'])
  const { json } = await lab.call('POST /token/add', { name: 'operator', role: 'operate', rooms: [1] })
  const operator = (route: string, body: object) =>
    call(lab.host.ports.rest, route, body, { Authorization: json.token })
  const params = { disk: '1', partition: '1', name: 'linux', repository: serverAddress, type: 'UNICAST', profile: '1' }
  const steps = [{ command: 'image-restore', params: { ...params, id: '1' } }]
  const procedure = await add('POST /procedure/add', { center: '1', name: 'Nightly', steps })
  const task = await add('POST /task/add', { center: '1', name: 'Nightly', steps: [{ procedure }], clients: [off] })
  const when = masksOf(new Date(2040, 1, 1))
  const schedule = { task: String(task), name: 'Nightly', type: 'task', when, plan: { task, procedure } }
  const { headers } = await operator('POST /schedule/create', schedule)
  is((await operator('POST /schedule/create', { ...schedule, procedure: String(procedure) })).status, 403)
  is((await operator('POST /image/unplan', { id: headers['x-id'] })).status, 403)
  is((await lab.call('POST /image/unplan', { id: headers['x-id'] })).status, 400)
  equal((await lab.call('GET /image/plans')).json, { plans: [] })
  const own = (await plan({ at: '22:00' })).json
  const id = String(own.schedule)
  await lab.call('POST /schedule/update', { ...schedule, id })
  is((await lab.call('POST /image/unplan', { id })).status, 400)
  await lab.call('POST /schedule/delete', { id })
  equal(await counts(), [2, 2, 1])
  await lab.call('POST /task/delete', { id: String(own.task) })
  await lab.call('POST /procedure/delete', { id: String((await lab.call('GET /procedures')).json.procedures[1].id) })
  await lab.call('POST /schedule/delete', { id: headers['x-id'] })
  await lab.call('POST /task/delete', { id: String(task) })
  await lab.call('POST /procedure/delete', { id: String(procedure) })
})

test('a task that a plan has made stays while another schedule names it', async () => {
  const { schedule, task } = (await plan({ at: '22:00' })).json
  const when = masksOf(new Date(2040, 1, 1))
  const { headers } = await lab.call('POST /schedule/create', { task: String(task), name: 'Later', type: 'task', when })
  is((await lab.call('POST /image/unplan', { id: String(schedule) })).status, 200)
  equal(await counts(), [1, 1, 1])
  await lab.call('POST /schedule/delete', { id: headers['x-id'] })
})

test('a limited token plans only for its own rooms', async () => {
  const { json } = await lab.call('POST /token/add', { name: 'lab', role: 'operate', rooms: [2] })
  const own = (more: object) =>
    call(lab.host.ports.rest, 'POST /image/plan', { ...payload, ...more, dry_run: true }, { Authorization: json.token })
  equal([(await own({ rooms: [1] })).status, (await own({ rooms: [2] })).status], [403, 400])
})

test('without a time it runs at once; the report says who has the image, who not, and why', async () => {
  const job = jobIdOf(await plan())
  for (const { agent } of [good, bad]) await replyToNext(agent, '/run/schedule')
  const sent = await good.agent.next('/image/restore')
  equal(sent.body, {
    disk: '1',
    partition: '1',
    name: 'linux',
    repository: serverAddress,
    type: 'UNICAST',
    profile: '1',
    id: '1',
  })
  await bad.agent.next('/image/restore')
  const running = (await lab.call(`GET /job/report?id=${job}`)).json
  equal([running.total, running.has, running.open, running.missing, running.ended], [3, 0, 2, 1, undefined])
  good.agent.reply({ status: 200, body: { disk: '1', partition: '1', image_id: '1' } })
  bad.agent.answer(500)
  await jobs.finished(job)
  const { id, name, created, ended, rooms, computers, ...totals } = (await lab.call(`GET /job/report?id=${job}`)).json
  equal([id, Date.parse(created) <= Date.parse(ended)], [job, true])
  match(name, /^linux /)
  const expected = { total: 3, has: 1, unconfirmed: 0, open: 0, missing: 2 }
  equal(totals, expected)
  equal(rooms, [{ room: 'Room', center: 'Center', ...expected }])
  const rows = computers.map(({ client, state, has_image, reason }: Record<string, unknown>) => [
    client,
    state,
    has_image,
    reason,
  ])
  equal(rows, [
    [good.addr, 'success', true, undefined],
    [bad.addr, 'failure', false, 'agent replied 500'],
    [off, 'skipped', false, 'maintenance'],
  ])
  const missing = (await lab.call(`GET /job/report?id=${job}&only=missing`)).json
  equal([missing.computers.length, missing.total], [2, 3])
  equal((await lab.call(`GET /job/report?id=${job}&after=2`)).json.computers.length, 1)
  is((await lab.call('GET /job/report?id=99')).status, 400)
  is((await lab.call('GET /job/report')).status, 400)
})

test.run()
