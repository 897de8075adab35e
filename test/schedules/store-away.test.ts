// Schedules that are due while the store cannot be written: they run late, once, or are listed as missed.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { masksOf } from '../../host/schedules/recurrence.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { failingMethods, failingStoreFile, heldMethods, unansweredMethods } from '../harness/failing-store.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

const addr = '127.0.33.1'
const start = '2026-03-02T08:00:30'
const place = { disk: '1', partition: '1' }

/** A planned restore whose time is moved to that minute of the test's clock. */
async function addPlan(lab: TestHost, minute: string, until?: string): Promise<void> {
  await lab.addComputer(addr)
  const image = { name: 'linux', description: 'A system', repository: '127.0.0.1', id: '0', code: '131' }
  const when = masksOf(new Date(`2026-03-02T${minute}`))
  const responses = [
    await lab.call('POST /image/create', { clients: [addr], ...place, ...image }),
    await lab.call('POST /image/plan', { image: 'linux', rooms: [1], ...place, overwrite: true, at: '08:00', until }),
    await lab.call('POST /schedule/update', { id: '1', type: 'task', task: '1', name: minute, when }),
  ]
  equal(
    responses.map(({ status, headers }) => [status, headers['x-reason']]),
    responses.map(() => [200, undefined]),
  )
}

const jobsOf = async (lab: TestHost) =>
  (await lab.call('GET /jobs?command=image-restore')).json.jobs.map(({ name }: { name: string }) => name)
const planOf = async (lab: TestHost) => (await lab.call('GET /image/plans')).json.plans[0]
const linesOf = (lab: TestHost, text: string) => lab.log.filter(line => line.includes(text)).length

const test = suite('schedules while the store is away')
test.after.each(() => failingMethods.clear())

async function openAlone() {
  const clock = createManualClock(start)
  const store = { adapter: failingStoreFile, path: './data' }
  return { clock, lab: await startTestHost({ clock, options: { store } }) }
}

test('a run that the store does not let start is tried each second and made once', async () => {
  for (const methods of [['jobs.add'], ['schedules.list'], ['schedules.setSince', 'jobs.add']]) {
    const { clock, lab } = await openAlone()
    await addPlan(lab, '08:02', '09:00')
    for (const method of methods) failingMethods.add(method)
    await clock.advanceTo('2026-03-02T08:02:30')
    await lab.logged(/error schedules: 1 08:02: not started, tried again each second: ENOSPC/)
    failingMethods.clear()
    const created = lab.event('job-created', { name: '08:02' })
    await clock.advance(1000)
    await created
    await lab.logged(/info +schedules: 1 08:02: run started, late: it was due 2026-03-02T/)
    await clock.advance(10_000)
    equal(await jobsOf(lab), ['08:02'])
    is(linesOf(lab, 'not started'), 1)
    is((await planOf(lab)).missed, undefined)
    await lab.stop()
  }
})

test('two schedules of the same name that are due while the store is away both run late, once each', async () => {
  const { clock, lab } = await openAlone()
  const addrs = [addr, '127.0.33.2']
  const when = masksOf(new Date('2026-03-02T08:02'))
  for (const client of addrs) {
    await lab.addComputer(client)
    // The name of such a schedule is that of its command.
    const { status } = await lab.call('POST /schedule/command', {
      command: 'poweroff',
      clients: [client],
      params: {},
      when,
    })
    is(status, 200)
  }
  failingMethods.add('jobs.add')
  await clock.advanceTo('2026-03-02T08:02:30')
  await pollUntil(() => linesOf(lab, 'poweroff: not started, tried again each second') === 2)
  failingMethods.clear()
  await clock.advance(1000)
  await pollUntil(() => linesOf(lab, 'run started, late') === 2)
  await clock.advance(10_000)
  is((await lab.call('GET /jobs?command=poweroff')).json.jobs.length, 2)
  await lab.stop()
})

test('a run whose jobs were stored without an answer is made once, and those jobs are cancelled', async () => {
  const { clock, lab } = await openAlone()
  await addPlan(lab, '08:02', '09:00')
  unansweredMethods.add('jobs.add')
  await clock.advanceTo('2026-03-02T08:02:30')
  await lab.logged(/not started, tried again each second: the connection has ended/)
  unansweredMethods.clear()
  await clock.advance(1000)
  await lab.logged(/schedules: 1 08:02: run started, late/)
  await lab.logged(/schedules: 1 08:02: job \d+ cancelled, as it was stored without an answer/)
  await clock.advance(10_000)
  const { jobs } = (await lab.call('GET /jobs?command=image-restore')).json
  const states = jobs.map(({ counts }: { counts: { queued: number; cancelled: number } }) => {
    return counts.queued === 1 ? 'queued' : `${counts.cancelled} cancelled`
  })
  equal([states[0], ...new Set(states.slice(1))], ['queued', '1 cancelled'])
  await lab.stop()
})

test('a planned restore whose end has passed when the store is back does not start, which is logged and listed', async () => {
  const { clock, lab } = await openAlone()
  await addPlan(lab, '08:02', '08:10')
  failingMethods.add('jobs.add').add('tasks.find')
  await clock.advanceTo('2026-03-02T08:10:30')
  equal(await jobsOf(lab), [])
  failingMethods.clear()
  await clock.advance(1000)
  match(
    await lab.logged(/missed/),
    /1 08:02: missed \S+:02:00\.000Z, as the store was away: it was to start until \S+:10:00/,
  )
  await clock.advance(10_000)
  equal(await jobsOf(lab), [])
  is((await planOf(lab)).missed, new Date('2026-03-02T08:02').toISOString())
  await lab.stop()
})

async function openHourly() {
  const { clock, lab } = await openAlone()
  await addPlan(lab, '08:02')
  const when = { ...masksOf(new Date('2026-03-02T08:02')), hours: 0xfff }
  const { status } = await lab.call('POST /schedule/update', { id: '1', name: 'hourly', task: '1', type: 'task', when })
  is(status, 200)
  return { clock, lab }
}

test('a schedule whose next time comes while the store is away is run once, at that time', async () => {
  const { clock, lab } = await openHourly()
  failingMethods.add('jobs.add')
  await clock.advanceTo('2026-03-02T09:02:30')
  match(await lab.logged(/missed/), /1 hourly: missed .*:02:00\.000Z, as the store was away: its next time has come/)
  failingMethods.clear()
  const created = lab.event('job-created', { name: 'hourly' })
  await clock.advance(60_000)
  await created
  await clock.advance(10_000)
  equal(await jobsOf(lab), ['hourly'])
  await lab.stop()
})

test('what was due starts nothing when the store answers only after the next time has come', async () => {
  const { clock, lab } = await openHourly()
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  heldMethods.set('schedules.list', answered)
  await clock.advanceTo('2026-03-02T08:02:30')
  heldMethods.clear()
  await clock.advanceTo('2026-03-02T09:02:30')
  await lab.logged(/missed/)
  const created = lab.event('job-created', { name: 'hourly' })
  answer()
  await created
  await clock.advance(10_000)
  equal(await jobsOf(lab), ['hourly'])
  await lab.stop()
})

if (postgresPrograms !== undefined) {
  test('with PostgreSQL away over the minute of a schedule, several hosts run it once when it is back', async () => {
    const server = await startPostgres({ fsync: true })
    const clock = createManualClock(start)
    const startOne = (name: string) =>
      startTestHost({ clock, options: { store: server.storeOptions('late'), cluster: { name, lease_seconds: 60 } } })
    const a = await startOne('a')
    await addPlan(a, '08:02', '09:00')
    // A host that starts has the schedules of the others.
    const b = await startOne('b')
    await server.kill()
    await clock.advanceTo('2026-03-02T08:02:30')
    await Promise.all([a, b].map(lab => lab.logged(/1 08:02: not started, tried again each second: PostgreSQL: /)))
    await server.start()
    await pollUntil(async () => {
      await clock.advance(1000)
      return (await jobsOf(a).catch(() => [])).length > 0
    })
    await clock.advance(5000)
    equal(await jobsOf(b), ['08:02'])
    await Promise.all([b.stop(), a.stop()])
    await server.stop()
  })
}

test.run()
