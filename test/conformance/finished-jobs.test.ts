// The rules for the events of finished jobs, which are stored in the step of their last parts.
import * as assert from 'uvu/assert'
import { storedEventsOf } from './fill.ts'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'
import { job, part, upTo } from './work-samples.ts'

export const runs = { postgres: true }

function jobs(rule: Rule): void {
  const [one, two] = ['10.0.0.1', '10.0.0.2']
  const end = (id: number, index: number, state: 'success' | 'failure' = 'success') => [
    { job: id, index, state, ended: 5 },
  ]
  const finished = (id: number, counts: Record<string, number>, addrs = [one, two]) => ({
    type: 'job-finished',
    job: id,
    name: 'shell-run',
    by: 'token lab',
    counts,
    addrs,
  })

  rule('the end of a job is recorded with the change of its last part', async store => {
    const first = await store.jobs.add(job(), [part(one), part(two)])
    await store.jobs.update([...end(first, 0), ...end(first, 1)])
    assert.equal(await storedEventsOf(store), [])
    store.storedEvents.record(['job-finished'])
    const id = await store.jobs.add(job(), [part(one), part(two)])
    const changed = await store.jobs.update(end(id, 0))
    assert.equal([changed.finished, await storedEventsOf(store)], [[], []])
    const { finished: ended } = await store.jobs.update(end(id, 1, 'failure'))
    assert.equal(
      ended.map(({ job, name, by, clients }) => [job, name, by, clients]),
      [[id, 'shell-run', 'token lab', [one, two]]],
    )
    assert.equal(await storedEventsOf(store), [finished(id, { success: 1, failure: 1 })])
    // Who does not know whether it is stored stores it again.
    assert.is((await store.jobs.update(end(id, 1, 'failure'))).finished.length, 1)
    assert.is((await storedEventsOf(store)).length, 1)
  })

  rule('jobs that are cancelled, or added when all their parts have ended, are recorded', async store => {
    store.storedEvents.record(['job-finished'])
    const expired = await store.jobs.add(job(), [
      part(one, { state: 'expired' }),
      part(two, { state: 'skipped', output: 'x'.repeat(999) }),
    ])
    const empty = await store.jobs.add(job(), [])
    const waiting = await store.jobs.add(job(), [part(one), part(two, { state: 'sent' })])
    const queued = await store.jobs.add(job(), [part(two), part(one)])
    const cancelled = await store.jobs.cancel({ clients: [one, two] }, 'deleted', 9)
    assert.equal(
      cancelled.map(({ finished: end }) => end?.job),
      [undefined, queued],
    )
    await store.jobs.update(end(waiting, 1))
    assert.equal(
      (await storedEventsOf(store)).sort((a, b) => Reflect.get(a, 'job') - Reflect.get(b, 'job')),
      [
        finished(expired, { expired: 1, skipped: 1 }),
        finished(empty, {}, []),
        finished(waiting, { success: 1, cancelled: 1 }),
        finished(queued, { cancelled: 2 }, [two, one]),
      ],
    )
  })

  rule('the ends of many jobs at once are each recorded once', async store => {
    store.storedEvents.record(['job-finished'])
    const ids = await Promise.all(upTo(20).map(() => store.jobs.add(job(), [part(one), part(two)])))
    await Promise.all(ids.flatMap(id => [store.jobs.update(end(id, 0)), store.jobs.update(end(id, 1))]))
    const events = await storedEventsOf(store)
    assert.equal(
      events.map(event => Reflect.get(event, 'job')).sort((a, b) => a - b),
      ids.sort((a, b) => a - b),
    )
  })
}

conformance({ finishedJobs: jobs })
