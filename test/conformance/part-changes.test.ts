// The rules for changes of parts under a condition, and for what they end.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'
import { address, job, noParts, part, parts, success, upTo } from './work-samples.ts'

export const runs = { postgres: true }

/** More parts than one chunk holds. */
const many = 300

function partChanges(rule: Rule): void {
  rule('a change with a state has no effect on a part in another one; what has ended is reported once', async store => {
    const id = await store.jobs.add(job(), parts(3))
    const claim = upTo(2).map(index => ({ job: id, index, from: 'queued', state: 'sent', sent: 5 }) as const)
    const end = upTo(3).map(index => ({ ...success(id, index), from: 'sent' }) as const)
    assert.equal(await store.jobs.update(claim), { applied: claim, ended: [], finished: [] })
    assert.equal((await store.jobs.update(claim)).applied, [])
    const { applied, ended, finished } = await store.jobs.update(end)
    assert.equal([applied, finished], [end.slice(0, 2), []])
    const endOf = (index: number, { state = 'success', reason = '', ended: at = success(id, index).ended } = {}) => {
      return { job: id, index, client: part(address(index)).client, step: 0, state, reason, ended: at }
    }
    assert.equal(ended, [endOf(0), endOf(1)])
    const [cancelled] = await store.jobs.cancel({ job: id }, 'x', 7)
    assert.equal(cancelled?.parts, [endOf(2, { state: 'cancelled', reason: 'x', ended: 7 })])
    const clients = parts(3).map(({ client }) => client)
    assert.equal(cancelled?.finished?.counts, { ...noParts, success: 2, cancelled: 1 })
    assert.equal(cancelled?.finished?.clients, clients)
    assert.equal(await store.jobs.cancel({ job: id }, 'x', 7), [])
  })

  rule('the queued parts of clients are cancelled in all jobs, others stay', async store => {
    const first = await store.jobs.add(job(), parts(many))
    const second = await store.jobs.add(job(), [part(address(1), { state: 'sent', sent: 1 }), part(address(2))])
    const ended = await store.jobs.cancel({ clients: [address(1), address(2)] }, 'x', 7)
    const names = ended.flatMap(({ parts: of }) => of.map(({ job: of, index }) => [of, index]))
    assert.equal(names, [
      [first, 1],
      [first, 2],
      [second, 1],
    ])
    assert.equal((await store.jobs.find(first))?.counts, { ...noParts, queued: many - 2, cancelled: 2 })
    const unfinished = await store.jobs.unfinished({ state: 'sent' })
    assert.equal(
      unfinished.map(row => [row.job.id, row.parts.length]),
      [[second, 1]],
    )
  })
}

conformance({ partChanges })
