// How parts of jobs of several hosts end in PostgreSQL: by outcomes, cancels, and with the host that had them.
import * as assert from 'uvu/assert'
import type { Change, EndedMember, EndedParts } from '../../stores/store.ts'
import { job, noParts, part, parts, upTo } from '../conformance/work-samples.ts'
import { type ClusterHost, join } from '../harness/cluster-stores.ts'
import { twoHostSuite } from '../harness/cluster-suite.ts'
import { addWork, claim, end, membership, states, taken, waiting, workFor } from '../harness/cluster-work.ts'
import { pollUntil } from '../harness/poll.ts'
import { failure } from '../harness/store-folders.ts'

const { test } = await twoHostSuite('postgres cluster: ended parts')

test('of the hosts that end the last parts of a job one sees it finished', async ({ fleet, a, b }) => {
  const count = 25
  for (const round of upTo(count)) {
    const id = await addWork(a, workFor(['b+', 'a+', undefined]))
    await Promise.all([a.work.take(a.key, 0, 1), b.work.take(b.key, 0, 1)])
    const [one, two, cancelled] = await Promise.all([
      a.work.change(a.key, [end(id, 1)]),
      b.work.change(b.key, [end(id, 0, { state: 'failure', reason: 'x' })]),
      b.work.cancel({ job: id }, 'cancelled by a caller', 99),
    ])
    const finished = [...one.finished, ...two.finished, ...cancelled.flatMap(({ finished }) => finished ?? [])]
    assert.is(finished.length, 1, `round ${round}`)
    const [{ counts, clients } = { counts: noParts, clients: [] }] = finished
    assert.equal([counts.success, counts.failure, counts.cancelled, counts.sent], [1, 1, 1, 0])
    assert.equal(
      clients,
      parts(3).map(({ client }) => client),
    )
    assert.equal(await states(fleet, id), ['failure: x', 'success', 'cancelled: cancelled by a caller'])
  }
})

test('an outcome that is stored already counts as applied for the same host and time only', async ({ a, b }) => {
  const id = await addWork(a, workFor(['b+', undefined]))
  await b.work.take(b.key, 0, 1)
  const outcome = end(id, 0)
  assert.equal((await b.work.change(b.key, [outcome])).applied, [outcome])
  assert.equal((await b.work.change(b.key, [outcome])).applied, [outcome])
  assert.equal((await b.work.change(b.key, [end(id, 0, { ended: 6 })])).applied, [])
  assert.equal((await a.work.change(a.key, [outcome])).applied, [])
  const expired: Change = { job: id, index: 1, from: 'queued', state: 'expired', ended: 7 }
  for (const _ of upTo(2)) assert.equal((await a.work.change(a.key, [expired])).applied, [expired])
  assert.equal((await b.work.change(b.key, [expired])).applied, [])
  assert.equal(await b.work.change(b.key, []), { applied: [], ended: [], finished: [] })
  assert.equal((await b.work.change(b.key, [end(99, 0), end(id, 99), end(1e300, -1)])).applied, [])
})

test('nothing of an epoch that has ended takes effect', async ({ fleet, a, b }) => {
  const id = await addWork(a, workFor(['b+', 'b+', 'b', undefined]))
  await b.work.take(b.key, 0, 1)
  const again = await join(b, 'b')
  const failed = 'failure: daemon restarted'
  assert.equal(await states(fleet, id), [failed, failed, 'queued', 'queued'])
  const expired: Change = { job: id, index: 2, from: 'queued', state: 'expired', ended: 3 }
  assert.equal(await b.work.change(b.key, [end(id, 0), expired]), { applied: [], ended: [], finished: [] })
  assert.match(await failure(b.work.change(b.key, [expired, claim(id, 3)])), /expected a member/)
  assert.match(await failure(b.work.add(b.key, workFor(['a']))), /expected a member/)
  await addWork(a, workFor(['b+']))
  assert.equal(await b.work.take(b.key, 0, 1), { jobs: [], parts: [], last: 0 })
  assert.equal(taken(await b.work.take(again, 0, 4)), ['2/0 sent claimed 4'])
  assert.equal(await states(fleet, id), [failed, failed, 'queued', 'queued'])
})

test('what a removed host had sent or was to send has ended, its queued parts wait', async ({ fleet, a, b }) => {
  const id = await addWork(a, workFor(['b+', 'b', undefined]))
  await b.work.take(b.key, 0, 1)
  await addWork(a, workFor(['b+']))
  await addWork(b, { ...workFor([undefined, undefined]), parts: parts(2, { state: 'sent', sent: 3 }) })
  const removed = await a.members.remove(await membership(a, 'b'), 'host gone')
  const ended = removed?.ended ?? []
  assert.equal(
    ended.map(({ job, parts, finished }) => [job.id, parts.map(({ index, state }) => `${index} ${state}`), !!finished]),
    [
      [1, ['0 failure'], false],
      [2, ['0 failure'], true],
      [3, ['0 failure', '1 failure'], true],
    ],
  )
  assert.equal(ended[2]?.finished?.counts.failure, 2)
  assert.equal(ended[2]?.job, { id: 3, name: job().name, by: job().by, steps: job().steps })
  assert.ok(Math.abs((ended[2]?.parts[0]?.ended ?? 0) - Date.now()) < 10_000)
  assert.equal(await states(fleet, id), ['failure: host gone', 'queued', 'queued'])
  assert.equal(await a.work.add(a.key, workFor(['b+', 'b'])), { id: 4, unassigned: [0, 1] })
  assert.equal(waiting(await a.work.queued('all')), ['1/1 queued', '1/2 queued', '4/0 queued', '4/1 queued'])
})

/** As a daemon does, which tries again with its next heartbeat: many changes at a time can undo an attempt. */
async function removeMember(host: ClusterHost, name: string): Promise<EndedMember | undefined> {
  let problem: unknown
  for (const _ of upTo(5)) {
    const key = (await host.members.list()).find(member => member.name === name)
    if (!key) return undefined
    try {
      return await host.members.remove(key, 'host gone')
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

test('while a host is removed, others add parts for it and it claims: each part ends or waits', async ({
  fleet,
  a,
  b,
}) => {
  const c = await fleet.host('c')
  let isOver = false
  const ids: number[] = []
  const unassigned = new Set<number>()
  async function addOn(host: ClusterHost): Promise<void> {
    while (!isOver) {
      const added = await host.work.add(host.key, workFor(['b+', 'b']))
      ids.push(added?.id ?? 0)
      if (added?.unassigned.length === 2) unassigned.add(added.id)
    }
  }
  async function takeOn(): Promise<void> {
    for (let last = 0; !isOver; ) {
      const assigned = await b.work.take(b.key, last, 1)
      last = assigned.last
      const queued = assigned.parts.filter(({ claimed }) => !claimed)
      await b.work
        .change(
          b.key,
          queued.map(({ job, index }) => claim(job, index)),
        )
        .catch(() => {})
    }
  }
  const working = Promise.all([addOn(a), addOn(c), takeOn()])
  async function removeMeanwhile() {
    await pollUntil(() => ids.length > 20)
    const [first, second] = await Promise.all([removeMember(a, 'b'), removeMember(c, 'b')])
    const before = ids.length
    await pollUntil(() => ids.length > before + 10)
    return first ?? second
  }
  const removed = await removeMeanwhile().finally(() => {
    isOver = true
    return working
  })
  assert.ok(removed)
  assert.ok(unassigned.size > 0)
  const reported = new Set(removed.ended.flatMap(({ job, parts }) => parts.map(({ index }) => `${job.id}/${index}`)))
  for (const id of ids) {
    const [direct, queued] = await states(fleet, id)
    if (unassigned.has(id)) assert.equal([direct, queued], ['queued', 'queued'])
    else {
      assert.is(direct, 'failure: host gone')
      assert.ok(reported.has(`${id}/0`))
      assert.is(queued === 'queued', !reported.has(`${id}/1`))
    }
  }
})

test('parts of a job or of clients are cancelled, whoever looks after them', async ({ fleet, a, b }) => {
  await addWork(a, workFor(['b+', 'b', undefined]))
  await addWork(b, workFor([undefined, 'a', 'a']))
  const [one = '', two = '', three = ''] = parts(3).map(({ client }) => client)
  const list = (ended: EndedParts[]) =>
    ended.flatMap(({ job, parts }) => parts.map(({ index, reason, ended }) => `${job.id}/${index} ${reason} ${ended}`))
  assert.equal(list(await a.work.cancel({ job: 1, clients: [two] }, 'x', 5)), ['1/1 x 5'])
  assert.equal(list(await a.work.cancel({ clients: [one, three] }, 'y', 6)), [
    '1/0 y 6',
    '1/2 y 6',
    '2/0 y 6',
    '2/2 y 6',
  ])
  assert.equal(await a.work.cancel({ job: 1e300 }, 'z', 7), [])
  const [last] = await a.work.cancel({ job: 2 }, 'z', 7)
  const { name, by } = job()
  const counts = { ...noParts, cancelled: 3 }
  assert.equal(last?.finished, { job: 2, name, by, counts, clients: [one, two, three] })
  assert.equal(taken(await b.work.take(b.key, 0, 1)), [])
  assert.equal(await a.work.queued('all'), [])
  assert.equal(await states(fleet, 1), ['cancelled: y', 'cancelled: x', 'cancelled: y'])
})

test('parts that a daemon without a fleet had sent fail when a host joins', async ({ fleet, a }) => {
  const id = await fleet.store.jobs.add(job(), [part('10.0.0.1', { state: 'sent', sent: 3 }), part('10.0.0.2')])
  await fleet.host('c')
  assert.equal(await states(fleet, id), ['failure: daemon restarted', 'queued'])
  assert.equal(waiting(await a.work.queued('all')), [`${id}/1 queued`])
})

test.run()
