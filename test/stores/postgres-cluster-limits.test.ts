// Claims of parts of which only so many may be sent at once, by several hosts in PostgreSQL.
import * as assert from 'uvu/assert'
import type { Change, ClaimLimits } from '../../stores/store.ts'
import { job, upTo } from '../conformance/work-samples.ts'
import { twoHostSuite } from '../harness/cluster-suite.ts'
import { addWork, claim, end, states, workFor } from '../harness/cluster-work.ts'

const { test } = await twoHostSuite('postgres cluster: limits of claims')

const address = '10.1.1.1'
const slots = (count: number): ClaimLimits => ({ repository: { address, slots: count } })
const steps = [{ command: 'image-restore', payload: { repository: address, name: 'win\0' } }]
const copies = (count: number) => workFor(Array(count).fill(undefined), { job: job({ steps }) })
const limited = (id: number, index: number, limits: ClaimLimits): Change => ({ ...claim(id, index), limits })
const indexes = (changes: readonly Change[] = []) => changes.map(({ index }) => index).sort((a, b) => a - b)

test('of claims at the same moment so many take effect as there are slots; the others are full and stay queued', async ({
  fleet,
  a,
  b,
}) => {
  const id = await addWork(a, copies(40))
  const results = await Promise.all(
    upTo(40).map(index => {
      const host = index % 2 === 0 ? a : b
      return host.work.change(host.key, [limited(id, index, slots(4))])
    }),
  )
  assert.is(results.flatMap(({ applied }) => applied).length, 4)
  assert.is(results.flatMap(({ full = [] }) => full).length, 36)
  assert.is((await states(fleet, id)).filter(state => state === 'sent').length, 4)
})

test('a slot is free when its part has ended, or its host is gone; the first that asked gets it before later ones', async ({
  fleet,
  a,
  b,
}) => {
  const id = await addWork(a, copies(5))
  const first = await a.work.change(a.key, [limited(id, 0, slots(1)), limited(id, 1, slots(1))])
  assert.equal([indexes(first.applied), indexes(first.full)], [[0], [1]])
  await a.work.change(a.key, [end(id, 0)])
  // Of another host, and behind the one that has asked before.
  assert.equal(indexes((await b.work.change(b.key, [limited(id, 2, slots(1))])).full), [2])
  assert.equal(indexes((await a.work.change(a.key, [limited(id, 1, slots(1))])).applied), [1])
  await a.members.leave(a.key, 'gone')
  assert.equal(indexes((await b.work.change(b.key, [limited(id, 2, slots(1))])).applied), [2])
  assert.equal((await states(fleet, id)).slice(0, 3), ['success', 'failure: gone', 'sent'])
})

test('who does not ask any more loses its turn; another repository and another job are not concerned', async ({
  a,
  b,
}) => {
  const id = await addWork(a, copies(3))
  await a.work.change(a.key, [limited(id, 0, slots(1)), limited(id, 1, slots(1))])
  const other = await addWork(
    a,
    workFor([undefined], { job: job({ steps: [{ command: 'x', payload: { repository: 'y' } }] }) }),
  )
  const limits = { repository: { address: 'y', slots: 1 } }
  assert.is((await b.work.change(b.key, [limited(other, 0, limits)])).applied.length, 1)
  await a.work.change(a.key, [end(id, 0)])
  await new Promise(resolve => setTimeout(resolve, 3100))
  assert.equal(indexes((await b.work.change(b.key, [limited(id, 2, slots(1))])).applied), [2])
})

test('a batch counts the clients of its job', async ({ a, b }) => {
  const id = await addWork(a, workFor([undefined, undefined, undefined]))
  const result = await a.work.change(
    a.key,
    [0, 1].map(index => limited(id, index, { batch: 2 })),
  )
  assert.is(result.applied.length, 2)
  assert.equal(indexes((await b.work.change(b.key, [limited(id, 2, { batch: 2 })])).full), [2])
  const another = await addWork(a, workFor([undefined]))
  assert.is((await b.work.change(b.key, [limited(another, 0, { batch: 2 })])).applied.length, 1)
})

test.run()
