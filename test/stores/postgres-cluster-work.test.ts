// Parts of jobs of several hosts in PostgreSQL: each is sent by one host, once.
import * as assert from 'uvu/assert'
import type { Change } from '../../stores/store.ts'
import { job, part, parts, schedule, upTo } from '../conformance/work-samples.ts'
import { twoHostSuite } from '../harness/cluster-suite.ts'
import { addWork, claim, end, states, taken, waiting, workFor } from '../harness/cluster-work.ts'
import { pollUntil } from '../harness/poll.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { failure } from '../harness/store-folders.ts'

const { test } = await twoHostSuite('postgres cluster: work')

test('parts come to the host that they are for, which claims those that are to be sent at once', async ({
  fleet,
  a,
  b,
}) => {
  const notifications: string[] = []
  b.notifications.listen({ onNotice: notice => notifications.push(JSON.stringify(notice)), onOpen() {}, onLost() {} })
  const added = await a.work.add(a.key, workFor(['b+', 'b', undefined, 'gone+', 'a']))
  assert.equal(added, { id: 1, unassigned: [3] })
  await pollUntil(() => notifications.includes('{"type":"work","host":"b"}'))
  assert.is(await a.work.unclaimed(1), 1)
  const first = await b.work.take(b.key, 0, 77)
  assert.equal(taken(first), ['1/0 sent claimed 77', '1/1 queued'])
  assert.equal(first.jobs, [{ id: 1, ...job() }])
  assert.is(await a.work.unclaimed(1), 0)
  assert.equal(await b.work.take(b.key, first.last, 78), { jobs: [], parts: [], last: first.last })
  // As if the first result had got lost.
  assert.equal(await b.work.take(b.key, 0, 79), first)
  assert.equal(taken(await a.work.take(a.key, 0, 1)), ['1/4 queued'])
  assert.equal(await states(fleet, 1), ['sent', 'queued', 'queued', 'queued', 'queued'])
  await b.work.change(b.key, [claim(1, 1), end(1, 0)])
  assert.equal(taken(await b.work.take(b.key, 0, 80)), [])
})

test('queued parts are those of clients, in the order of the jobs, and none that a host sends at once', async ({
  a,
}) => {
  await addWork(a, workFor(['b+', 'b', undefined]))
  await addWork(a, workFor([undefined, 'b', 'b']))
  const all = await a.work.queued('all')
  assert.equal(waiting(all), ['1/1 queued', '1/2 queued', '2/0 queued', '2/1 queued', '2/2 queued'])
  assert.equal(
    all.map(({ job: { id } }) => id),
    [1, 2],
  )
  const some = await a.work.queued([part('10.2.0.0').client, part('10.2.0.2').client, '10.9.9.9'])
  assert.equal(waiting(some), ['1/2 queued', '2/0 queued', '2/2 queued'])
  assert.equal(await a.work.queued([]), [])
})

test('queued parts are assigned to a member, others stay as they are', async ({ a, b }) => {
  const id = await addWork(a, workFor([undefined, undefined, 'a+', undefined]))
  await a.work.change(a.key, [claim(id, 3)])
  const assigned = upTo(4).map(index => ({ job: id, index, host: index === 1 ? 'nobody' : 'b' }))
  await a.work.assign([...assigned, { job: 99, index: 0, host: 'b' }, { job: 1e300, index: -1, host: 'b' }])
  await a.work.assign([])
  const { last, ...first } = await b.work.take(b.key, 0, 1)
  assert.equal(taken({ ...first }), ['1/0 queued'])
  await a.work.assign([{ job: id, index: 0, host: 'a' }])
  assert.equal(taken(await b.work.take(b.key, last, 1)), [])
  assert.equal(taken(await a.work.take(a.key, 0, 9)), ['1/0 queued', '1/2 sent claimed 9'])
})

test('a firing has one job, whichever hosts add it at the same time', async ({ fleet, a, b }) => {
  const c = await fleet.host('c')
  const id = await fleet.store.schedules.add(schedule({ since: 1000 }))
  for (const time of [2000, 3000, 4000]) {
    const firing = { schedule: id, time }
    const added = await Promise.all([a, b, c].map(host => host.work.add(host.key, workFor(['b'], { firing }))))
    assert.is(added.filter(result => result !== undefined).length, 1)
    assert.is(await a.work.claimFiring(firing), false)
    assert.is((await fleet.store.schedules.list())[0]?.since, time)
  }
  assert.is((await fleet.store.jobs.list({ limit: 100 })).length, 3)
  const claims = await Promise.all([a, b, c].map(({ work }) => work.claimFiring({ schedule: id, time: 5000 })))
  assert.equal(claims.sort(), [false, false, true])
  const firing = { schedule: id, time: 5000 }
  assert.is(await a.work.add(a.key, workFor(['b'], { firing })), undefined)
  assert.is(await a.work.add(a.key, workFor(['b'], { firing: { schedule: 1e300, time: 1e12 } })), undefined)
  const gone = { ...b.key, epoch: 99 }
  const later = { firing: { schedule: id, time: 6000 } }
  const message = 'store: host b: expected a member of the fleet, got one that was removed'
  assert.is(await failure(b.work.add(gone, workFor(['b'], later))), message)
  assert.is((await fleet.store.schedules.list())[0]?.since, 5000)
})

test('of hosts that claim a queued part one gets it, and only that one gives it back or ends it', async ({
  fleet,
  a,
  b,
}) => {
  const c = await fleet.host('c')
  const hosts = [a, b, c]
  const id = await addWork(a, workFor(upTo(30).map(() => undefined)))
  const claims = upTo(30).map(index => claim(id, index))
  const results = await Promise.all(hosts.flatMap(host => claims.map(each => host.work.change(host.key, [each]))))
  const owners = new Map(results.flatMap(({ applied }, at) => applied.map(({ index }) => [index, Math.floor(at / 30)])))
  assert.is(results.flatMap(({ applied }) => applied).length, 30)
  const owner = hosts[owners.get(0) ?? 0]
  const other = hosts.find(host => host !== owner)
  assert.ok(owner && other)
  const back: Change = { job: id, index: 0, from: 'sent', state: 'queued', sent: 0 }
  for (const host of hosts) {
    if (host === owner) continue
    for (const change of [end(id, 0), back]) assert.equal((await host.work.change(host.key, [change])).applied, [])
  }
  assert.equal((await owner.work.change(owner.key, [back, back])).applied, [back])
  const both = [claim(id, 0), end(id, 0, { output: 'done' })]
  const { ended, ...changed } = await other.work.change(other.key, both)
  assert.equal(changed, { applied: both, finished: [] })
  assert.equal(
    ended.map(({ index, client, state }) => [index, client, state]),
    [[0, part('10.2.0.0').client, 'success']],
  )
  assert.is((await fleet.store.jobs.parts(id, { limit: 1 }))[0]?.output, 'done')
})

test('no part is taken twice while several hosts add', async ({ fleet, a, b }) => {
  const hosts = [a, await fleet.host('c'), await fleet.host('d')]
  const seen: string[] = []
  const [jobs, each] = [25, 4]
  let isAdding = true
  async function takeAll(): Promise<void> {
    for (let last = 0, isLast = false; !isLast; ) {
      isLast = !isAdding
      const assigned = await b.work.take(b.key, last, 1)
      last = assigned.last
      seen.push(...assigned.parts.map(({ job, index }) => `${job}/${index}`))
    }
  }
  const taking = takeAll()
  await Promise.all(
    hosts.map(async host => {
      for (const _ of upTo(jobs)) await addWork(host, workFor(upTo(each).map(() => 'b+')))
    }),
  )
  isAdding = false
  await taking
  assert.is(seen.length, hosts.length * jobs * each)
  assert.is(new Set(seen).size, seen.length)
})

test('a job that has ended when it is added is finished, and has no parts for anybody', async ({ a, b }) => {
  const ended = { ...workFor([undefined, 'b']), parts: parts(2, { state: 'skipped', reason: 'unknown', ended: 1 }) }
  assert.equal(await a.work.add(a.key, ended), { id: 1, unassigned: [] })
  assert.equal(await a.work.queued('all'), [])
  assert.equal(await b.work.take(b.key, 0, 1), { jobs: [], parts: [], last: 0 })
})

test('many parts are one statement, and outputs keep their limit', async ({ fleet, a }) => {
  const c = await fleet.host('c', { outputs_bytes: 40_000 })
  const count = 4000
  const time = startQuietTimer()
  const id = await addWork(a, workFor(upTo(count).map(() => 'c+')))
  const assigned = await c.work.take(c.key, 0, 1)
  assert.is(assigned.parts.length, count)
  assert.is(assigned.jobs.length, 1)
  const changes = upTo(count).map(index => end(id, index, { output: `${index} `.padEnd(100, 'x') }))
  const { applied, finished } = await c.work.change(c.key, changes)
  assert.equal([applied.length, finished.length], [count, 1])
  assert.ok(time() < 10_000)
  const stored = await fleet.store.jobs.parts(id, { limit: count })
  const kept = stored.filter(({ output }) => output !== '')
  assert.ok(kept.length > 100 && kept.length * 100 <= 40_000)
  assert.is(kept.at(-1)?.index, count - 1)
})

test.run()
