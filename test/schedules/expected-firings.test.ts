// A firing whose host could not record it, as it ended or got no answer, is recorded by the others.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { createOneHost } from '../../host/cluster/one-host.ts'
import { FiringRecords } from '../../host/jobs/firings/firing-records.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import type { PartState } from '../../stores/rules/part-states.ts'
import { job, part } from '../conformance/work-samples.ts'
import { openStore } from '../harness/history-lab.ts'

const due = Date.parse('2026-03-02T08:00:00Z')
const schedule = { id: 7, name: 'Nightly' }

async function open() {
  const lines: string[] = []
  const log = createLog(line => lines.push(line))
  const store = await openStore()
  const clock = createManualClock(new Date(due).toISOString())
  const away = { writes: 0 }
  const put: typeof store.documents.put = (...args) => {
    if (away.writes-- > 0) throw new Error('the store is away')
    return store.documents.put(...args)
  }
  const records = { ...store, documents: { ...store.documents, put } }
  const hosts = [1, 2].map(
    () => new FiringRecords({ store: records, clock, log, cluster: createOneHost(store, createEvents(log)) }),
  )
  const add = (created: number, state: PartState = 'success') =>
    store.jobs.add(job({ schedule: schedule.id, created }), [part('10.1.1.20', { state })])
  const jobs = async () => (await hosts[0]?.list({ id: schedule.id }))?.map(each => [Date.parse(each.time), each.job])
  const later = async () => {
    await clock.advance(10_000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  return { hosts, store, add, jobs, later, lines, away }
}

const test = suite('firings that are expected')

test('the job of a firing that nobody has recorded is recorded once, whoever looks', async () => {
  const { hosts, store, add, jobs, later, lines } = await open()
  await add(due - 1000)
  const id = await add(due + 3)
  await add(due + 5000)
  for (const host of hosts) host.expect(schedule, due)
  await later()
  equal([await jobs(), lines], [[[due, id]], []])
  for (const host of hosts) host.close()
  await store.close()
})

test('one that was taken for missed gets its job', async () => {
  const { hosts, store, add, jobs, later } = await open()
  await hosts[0]?.add(schedule, { time: due, problem: { state: 'missed', reason: 'the store was away' } })
  const id = await add(due + 3)
  hosts[0]?.expect(schedule, due)
  await later()
  equal(await jobs(), [[due, id]])
  for (const host of hosts) host.close()
  await store.close()
})

test('one that was recorded in time stays as it is, and so does what had no job', async () => {
  const { hosts, store, add, jobs, later } = await open()
  const [host, other] = hosts
  other?.expect(schedule, due)
  await later()
  equal(await jobs(), [])
  other?.expect(schedule, due)
  const id = await add(due + 3)
  await host?.add(schedule, { time: due, job: id })
  await add(due + 5)
  await later()
  equal(await jobs(), [[due, id]])
  for (const each of hosts) each.close()
  await store.close()
})

test('what cannot be stored is stored later, with one line in the log', async () => {
  const { hosts, store, add, jobs, later, lines, away } = await open()
  const id = await add(due + 3)
  away.writes = 2
  await hosts[0]?.add(schedule, { time: due, job: id })
  equal(await jobs(), [])
  for (let time = 0; time < 2; time += 1) await later()
  equal(await jobs(), [[due, id]])
  equal(
    lines.map(line => line.split(' ').slice(2).join(' ').split('\n')[0]),
    ['schedules: 7: how it went could not be recorded, tried again: the store is away'],
  )
  for (const host of hosts) host.close()
  await store.close()
})

test('a job that was cancelled, as it was stored without an answer, is not that of a firing which has another one', async () => {
  const { hosts, store, add, jobs, later } = await open()
  const first = await add(due + 3, 'cancelled')
  hosts[0]?.expect(schedule, due)
  const id = await add(due + 1003)
  await later()
  equal(await jobs(), [[due, id]])
  hosts[0]?.expect(schedule, due - 1)
  await later()
  equal((await jobs())?.at(-1), [due - 1, first])
  for (const host of hosts) host.close()
  await store.close()
})

test.run()
