// The rules for counting the computers of a job, of which each has a part of every step.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'
import { job, part, parts } from './work-samples.ts'

export const runs = { postgres: true }

/** More parts than one chunk holds. */
const many = 300

function computers(rule: Rule): void {
  const [one, other] = ['10.0.0.1', '10.0.0.2']
  const stopped = 'interrupted by stop of user anna'

  rule('the computers of a job are counted by their first part that did not succeed', async store => {
    const failed = { state: 'failure', reason: 'exit code 1' } as const
    const added = await store.jobs.add(job(), [
      part(one, { state: 'success', reason: 'x' }),
      part(other, { state: 'success' }),
      part('10.0.0.3', failed),
      ...parts(many),
      part(one, { step: 1, state: 'success' }),
      part(other, { step: 1, state: 'failure', reason: stopped }),
      part('10.0.0.3', { step: 1, state: 'skipped' }),
      part(other, { step: 2, state: 'sent' }),
    ])
    const counted = async (clients?: string[]) =>
      (await store.jobs.countComputers(added, clients)).sort((a, b) => a.count - b.count || b.step - a.step)
    const limited = [
      { step: 1, state: 'failure', reason: stopped, count: 1 },
      { step: 0, state: 'success', reason: '', count: 1 },
    ]
    assert.equal(await counted([one, other, '10.0.0.9']), limited)
    assert.equal((await counted()).map(({ state, count }) => `${state} ${count}`).sort(), [
      'failure 1',
      'failure 1',
      `queued ${many}`,
      'success 1',
    ])
    assert.equal(await store.jobs.countComputers(added + 1), [])
  })
}

conformance({ computers })
