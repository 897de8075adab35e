// The events of finished jobs of several hosts, which are stored in the step of the last part; and the check of such rows.
import * as assert from 'uvu/assert'
import { check } from '../../stores/postgres/index.ts'
import { storedEventsOf } from '../conformance/fill.ts'
import { part, upTo } from '../conformance/work-samples.ts'
import { type ClusterStores, join } from '../harness/cluster-stores.ts'
import { twoHostSuite } from '../harness/cluster-suite.ts'
import { addWork, end, membership, workFor } from '../harness/cluster-work.ts'

const { test, query } = await twoHostSuite('postgres cluster: stored events')

const finishedJobs = async ({ store }: ClusterStores) =>
  (await storedEventsOf(store)).map(event => [Reflect.get(event, 'job'), JSON.stringify(Reflect.get(event, 'counts'))])

test('of the hosts that end the last parts of jobs one stores each end', async ({ fleet, a, b }) => {
  for (const { record } of [a, b]) record(['job-finished'])
  const ids: number[] = []
  for (const _ of upTo(10)) {
    const id = await addWork(a, workFor(['b+', 'a+', undefined]))
    ids.push(id)
    await Promise.all([a.work.take(a.key, 0, 1), b.work.take(b.key, 0, 1)])
    await Promise.all([
      a.work.change(a.key, [end(id, 1)]),
      b.work.change(b.key, [end(id, 0)]),
      b.work.cancel({ job: id }, 'cancelled', 99),
    ])
  }
  const expired = await addWork(b, workFor([undefined], { parts: [part('10.0.0.1', { state: 'expired' })] }))
  const ends = ids.map(id => [id, '{"success":2,"cancelled":1}'])
  assert.equal(await finishedJobs(fleet), [...ends, [expired, '{"expired":1}']])
  for (const { record } of [a, b]) record([])
  await a.work.cancel({ job: await addWork(a, workFor([undefined])) }, 'cancelled', 99)
  assert.is((await finishedJobs(fleet)).length, 11)
})

test('the ends with a host that is removed, or that joins again, are stored', async ({ fleet, a, b }) => {
  const first = await addWork(b, workFor(['b+']))
  await b.work.take(b.key, 0, 1)
  a.record(['job-finished'])
  await a.members.remove(await membership(a, 'b'), 'host gone')
  assert.equal(await finishedJobs(fleet), [[first, '{"failure":1}']])
  const second = await addWork(a, workFor(['a+']))
  await a.work.take(a.key, 0, 1)
  // Before it knows which types are recorded.
  a.record([])
  await join(a, 'a')
  assert.equal(await finishedJobs(fleet), [
    [first, '{"failure":1}'],
    [second, '{"failure":1}'],
  ])
})

test('the check finds sizes of packs and ids of events that are not those of the rows', async ({ fleet }) => {
  const { store, options } = fleet
  await store.documents.put({ pack: 'lab', collection: 'rules', key: 'a', value: '1' })
  await store.documents.put({ pack: 'gone', collection: 'rules', key: 'a', value: '1' })
  const problems = async () => (await check(options)).flatMap(({ ok, message }) => (ok ? [] : message))
  assert.equal(await problems(), [])
  const { schema } = options
  await query(`update ${schema}.documents set version = 0, value = '123' where pack = 'lab'`)
  await query(`delete from ${schema}.documents where pack = 'gone'`)
  await query(`insert into ${schema}.stored_events values (7, now(), '{"type":"x"}')`)
  assert.equal((await problems()).sort(), [
    'document 1: expected a version from 1 on, got 0',
    'pack gone: expected the sizes 0 documents and 0 bytes, got 1 and 2',
    'pack lab: expected the sizes 1 documents and 4 bytes, got 1 and 2',
    'stored events: expected one state with a last id from 7 on',
  ])
})

test.run()
