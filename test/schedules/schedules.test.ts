// Schedules: when they fire, what they run, and what remains after a restart.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

export const runs = { postgres: true }

process.env.TZ = 'Europe/Madrid'
const clock = createManualClock('2026-03-02T08:00:30')
const lab = await startTestHost({ clock })
await prepare(lab)

/** Adds a task and a procedure, both with id 1, that run a script on one computer. */
async function prepare(host: TestHost): Promise<void> {
  await host.addComputer('127.0.12.1')
  const steps = [{ command: 'shell-run', params: { run: 'x', echo: false } }]
  await host.call('POST /procedure/add', { center: '1', name: 'Procedure', steps })
  await host.call('POST /task/add', { center: '1', name: 'Task', steps: [{ procedure: 1 }] })
}

const year = (value: number) => (1 << (value - 2010)) >>> 0
const everyDay = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff }
const at = (hour: number, minutes: number) => ({
  ...everyDay,
  hours: 1 << (hour % 12),
  am_pm: hour < 12 ? 0 : 1,
  minutes,
})
const payloadOf = (name: string, more: object = {}) => ({ task: '1', name, type: 'task', ...more })

const schedules = async (payload?: object, from = lab) => (await from.call('POST /schedule/get', payload)).json.schedule
const idOf = async (name: string, from = lab) =>
  (await schedules(undefined, from)).find((one: { name: string }) => one.name === name)?.id
/** Resolves when the schedule has created that many jobs; fails when there are more. */
async function fired(name: string, count: number, from = lab): Promise<void> {
  for (;;) {
    const created = from.event('job-created', { name }).catch(() => undefined)
    const jobs = (await from.call('GET /jobs?limit=1000')).json.jobs.filter(
      (job: { name: string }) => job.name === name,
    )
    if (jobs.length >= count) return is(jobs.length, count)
    if (!(await created)) throw new Error(`${name}: expected ${count} jobs, got ${jobs.length}`)
  }
}
const create = (payload: object, from = lab) => from.call('POST /schedule/create', payload)

const test = suite('schedules')

test('a schedule fires once in its minute, and again at its next time', async () => {
  is((await create(payloadOf('daily', { when: at(9, 15) }))).status, 200)
  await clock.advanceTo('2026-03-02T09:14:59')
  await fired('daily', 0)
  await clock.advanceTo('2026-03-02T09:15:59')
  await fired('daily', 1)
  await clock.advanceTo('2026-03-03T09:15:00')
  await fired('daily', 2)
})

test('a schedule without when is stored with the current minute, fires at once and never again', async () => {
  await clock.advanceTo('2026-03-04T13:30:10')
  is((await create(payloadOf('now'))).status, 200)
  await fired('now', 1)
  const row = (await schedules()).find(({ name }: { name: string }) => name === 'now')
  const { id, ...rest } = row
  equal(rest, {
    task: 1,
    name: 'now',
    years: year(2026),
    months: 1 << 2,
    weeks: 0,
    week_days: 0,
    days: 1 << 3,
    hours: 1 << 1,
    am_pm: 1,
    minutes: 30,
    suspended: 0,
    session: 0,
  })
  await clock.advanceTo('2026-03-05T13:31:00')
  await fired('now', 1)
})

test('a suspended schedule does not fire until it is resumed', async () => {
  await create(payloadOf('suspended', { when: at(10, 0), suspended: 1 }))
  await clock.advanceTo('2026-03-06T10:00:30')
  await fired('suspended', 0)
  const id = String(await idOf('suspended'))
  const { status } = await lab.call('POST /schedule/update', {
    id,
    task: '1',
    name: 'suspended',
    when: at(10, 0),
    suspended: 0,
  })
  is(status, 200)
  await clock.advanceTo('2026-03-07T10:00:30')
  await fired('suspended', 1)
  await create(payloadOf('suspended now', { suspended: 1 }))
  await fired('suspended now', 0)
})

test('an update without weeks and week_days keeps their values and sets the type to task', async () => {
  await create(payloadOf('weekly', { type: 'procedure', when: { ...at(7, 0), days: 0, week_days: 1, weeks: 2 } }))
  const id = String(await idOf('weekly'))
  const { weeks: _, week_days: __, ...when } = { ...at(7, 30), days: 0 }
  is((await lab.call('POST /schedule/update', { id, task: '7', name: 'weekly', when })).status, 200)
  const [row] = await schedules({ id })
  equal([row.task, row.minutes, row.weeks, row.week_days], [7, 30, 2, 1])
})

test('a procedure runs for the computers of its center', async () => {
  await create(payloadOf('procedure', { type: 'procedure', when: at(11, 0) }))
  await clock.advanceTo('2026-03-07T11:00:00')
  await fired('procedure', 1)
  const { json } = await lab.call('GET /jobs?limit=1')
  const parts = (await lab.call(`GET /jobs/${json.jobs[0].id}`)).json.parts
  equal(
    parts.map(({ client }: { client: string }) => client),
    ['127.0.12.1'],
  )
})

test('schedule/command stores a command with its clients and runs it at its time', async () => {
  const payload = { clients: ['127.0.12.1'], command: 'image_restore', params: {} }
  is((await lab.call('POST /schedule/command', payload)).status, 400)
  const good = { clients: ['127.0.12.1'], command: 'shell/run', params: { run: 'y', echo: true } }
  is((await lab.call('POST /schedule/command', { ...good, name: 'noon', when: at(12, 0) })).status, 200)
  await fired('noon', 0)
  await clock.advanceTo('2026-03-07T12:00:00')
  await fired('noon', 1)
  is((await lab.call('POST /schedule/command', good)).status, 200)
  await fired('shell-run', 1)
})

test('a schedule may name a task that does not exist: the error is logged when it fires', async () => {
  is((await create(payloadOf('nothing', { task: '99', when: at(12, 30) }))).status, 200)
  await clock.advanceTo('2026-03-07T12:30:00')
  await lab.logged(/nothing: there is no task 99/)
})

test('a deleted schedule does not fire; deleting an unknown one is 400', async () => {
  await create(payloadOf('deleted', { when: at(14, 0) }))
  const id = String(await idOf('deleted'))
  is((await lab.call('POST /schedule/delete', { id })).status, 200)
  is((await lab.call('POST /schedule/delete', { id })).status, 400)
  is((await lab.call('POST /schedule/delete', { id, more: 1 })).status, 400)
  await clock.advanceTo('2026-03-10T14:00:30')
  await fired('deleted', 0)
})

test('schedule/get filters by task before id, returns all without both and none for an unknown task', async () => {
  const all = await schedules()
  const id = await idOf('weekly')
  equal(
    (await schedules({ id: String(id) })).map((row: { id: number }) => row.id),
    [id],
  )
  equal(
    await schedules({ task: '7', id: String(await idOf('daily')) }),
    all.filter((row: { task: number }) => row.task === 7),
  )
  equal(await schedules({ task: '12345' }), [])
})

const invalidFields: Record<string, object> = {
  'an unknown type': { type: 'thing' },
  'am_pm over 1': { when: { ...at(9, 0), am_pm: 2 } },
  'minutes over 59': { when: at(9, 60) },
  'a field of when missing': { when: { ...at(9, 0), weeks: undefined } },
  'a negative field': { when: { ...at(9, 0), days: -1 } },
  'a text for a field': { when: { ...at(9, 0), days: '1' } },
  'a number for the task': { task: 1 },
  'suspended 2': { suspended: 2 },
}

for (const [name, change] of Object.entries(invalidFields)) {
  test(`${name} is 400 and stores nothing`, async () => {
    const before = (await schedules()).length
    is((await create({ ...payloadOf('broken'), ...change })).status, 400)
    is((await schedules()).length, before)
  })
}

test('GET /schedule/next returns the next firings as ISO times', async () => {
  await create(payloadOf('preview', { when: { ...at(2, 30), months: 1 << 2, days: (1 << 27) | (1 << 28) } }))
  const { json } = await lab.call(`GET /schedule/next?id=${await idOf('preview')}&count=3`)
  // 02:30 does not exist on 29 March: the next existing minute is 03:00 summer time.
  equal(json, { next: ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2027-03-28T01:00:00.000Z'] })
  for (const query of ['id=x', 'id=999', `id=1&count=0`, ''])
    is((await lab.call(`GET /schedule/next?${query}`)).status, 400)
})

test('after a restart schedules keep their type; missed runs are logged and not caught up', async () => {
  const persistent = { options: { store: { path: './data' } } }
  const first = await startTestHost({ ...persistent, clock: createManualClock('2026-05-04T08:00:00') })
  await prepare(first)
  await create(payloadOf('stored', { type: 'procedure', when: at(9, 0) }), first)
  await create(payloadOf('paused', { when: at(9, 0), suspended: 1 }), first)
  await first.stop('keep')
  const later = createManualClock('2026-05-06T12:00:00')
  const second = await startTestHost({ ...persistent, folder: first.folder, clock: later })
  try {
    match(await second.logged(/stored: missed/), /missed 2026-05-04T07:00:00\.000Z/)
    is(second.log.filter(line => /paused: missed/.test(line)).length, 0)
    await fired('stored', 0, second)
    await later.advanceTo('2026-05-07T09:00:00')
    await fired('stored', 1, second)
    await fired('paused', 0, second)
    const { json } = await second.call('GET /jobs?limit=1')
    equal(json.jobs[0].commands, ['shell-run'])
  } finally {
    await second.stop()
  }
})

test.after(() => lab.stop())
test.run()
