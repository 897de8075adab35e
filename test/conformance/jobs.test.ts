// The rules for jobs and the updates of their parts.
import * as assert from 'uvu/assert'
import type { Part } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'
import { address, job, noParts, part, parts, success, upTo, withIndexes } from './work-samples.ts'

export const runs = { postgres: true }

/** More parts than one chunk holds. */
const many = 300
const all = { limit: 1e6 }

function jobs(rule: Rule): void {
  rule(
    'a job is found with its steps and counts, and its parts in the sequence in which they were added',
    async store => {
      const steps = [
        { command: 'wol', payload: { type: 'broadcast', deep: [{ ñ: null }] } },
        { command: 'shell-run', payload: { run: 'a\n"b"' } },
      ]
      const task = job({ origin: 'task', name: 'Ñandú', retry_of: 7, steps })
      const added = upTo(many).flatMap(at => [part(address(at)), part(address(at), { step: 1, expires: at })])
      const id = await store.jobs.add(task, added)
      assert.equal(await store.jobs.find(id), { id, ...task, counts: { ...noParts, queued: 2 * many } })
      assert.equal(await store.jobs.parts(id, all), withIndexes(added))
      assert.is(await store.jobs.find(id + 1), undefined)
      assert.equal(await store.jobs.parts(id + 1, all), [])
    },
  )

  rule('a job has the address and the account of its caller only when it was added with them', async store => {
    const by = { caller: '10.1.1.9', account: 'token:7' }
    const ids = [await store.jobs.add(job(by), []), await store.jobs.add(job(), [])]
    const found = await Promise.all(ids.map(id => store.jobs.find(id)))
    assert.equal(
      found.map(row => [row?.caller, row?.account]),
      [
        ['10.1.1.9', 'token:7'],
        [undefined, undefined],
      ],
    )
    const listed = await store.jobs.list({ limit: 2 })
    assert.equal(
      listed.map(row => 'caller' in row || 'account' in row),
      [false, true],
    )
  })

  rule('a job has its conditions, and only the keys that they have', async store => {
    const each = [{ when_idle: true }, { until: 1_800_000_000_000 }, { batch: 2, when_idle: true }] as const
    const ids: number[] = []
    for (const conditions of [...each, undefined]) {
      ids.push(await store.jobs.add(job(conditions && { conditions }), [part(address(1))]))
    }
    const found = await Promise.all(ids.map(id => store.jobs.find(id)))
    assert.equal(
      found.map(row => row?.conditions),
      [...each, undefined],
    )
    assert.equal(
      (await store.jobs.unfinished()).map(row => 'conditions' in row.job),
      [true, true, true, false],
    )
  })

  rule('a job without parts is finished', async store => {
    const id = await store.jobs.add(job(), [])
    assert.equal((await store.jobs.find(id))?.counts, noParts)
    assert.equal(await store.jobs.unfinished(), [])
    assert.equal(await store.jobs.list({ limit: 1 }), [{ id, ...job(), counts: noParts }])
  })

  rule('parts are read as they were added, in every state and with any text', async store => {
    const states = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled'] as const
    const texts = ['', 'plain', 'ñ ☃ 🖥', '"[1,2]\\', 'two\nlines\0', 'x'.repeat(4095)]
    const times = { queued: 0, sent: 1, ended: Number.MAX_SAFE_INTEGER, expires: 0.5 }
    const added = states.flatMap((state, step) =>
      texts.map(text => part(`client ${text}`, { state, step, ...times, reason: text, output: text })),
    )
    const ended = added.filter(({ state }) => state !== 'queued' && state !== 'sent')
    for (const list of [added, ended]) {
      const id = await store.jobs.add(job(), list)
      assert.equal(await store.jobs.parts(id, all), withIndexes(list))
    }
  })
}

function partUpdates(rule: Rule): void {
  rule('an update changes the keys that it has and nothing else', async store => {
    const id = await store.jobs.add(job(), parts(many))
    const other = await store.jobs.add(job(), parts(2))
    await store.jobs.update([{ job: id, index: 7, state: 'sent', sent: 5 }])
    await store.jobs.update([
      { job: id, index: 7, state: 'failure', reason: 'no answer', ended: 6, output: 'a', expires: 1 },
      { job: id, index: many - 1, state: undefined, reason: 'x' },
    ])
    const expected = parts(many)
    Object.assign(expected[7] ?? {}, {
      state: 'failure',
      reason: 'no answer',
      sent: 5,
      ended: 6,
      output: 'a',
      expires: 1,
    })
    Object.assign(expected[many - 1] ?? {}, { reason: 'x' })
    assert.equal(await store.jobs.parts(id, all), withIndexes(expected))
    assert.equal((await store.jobs.find(id))?.counts, { ...noParts, queued: many - 1, failure: 1 })
    assert.equal(await store.jobs.parts(other, all), withIndexes(parts(2)))
  })

  rule('updates of jobs and parts that do not exist are ignored, all others are applied', async store => {
    const first = await store.jobs.add(job(), parts(many))
    const second = await store.jobs.add(job(), parts(2))
    const strange = [-1, many, 1e6, 0.5, Number.NaN].map(index => success(first, index))
    const unknown = [0, -1, second + 1, 0.5].map(job => success(job, 0))
    await store.jobs.update([...strange, success(second, 1), ...unknown, success(second, -1)])
    assert.equal((await store.jobs.find(first))?.counts, { ...noParts, queued: many })
    assert.equal((await store.jobs.find(second))?.counts, { ...noParts, queued: 1, success: 1 })
    await store.jobs.update([])
  })

  rule('of several updates of a part in one step the last one wins', async store => {
    const id = await store.jobs.add(job(), parts(1))
    await store.jobs.update([
      { job: id, index: 0, state: 'sent', sent: 1 },
      success(id, 0),
      { job: id, index: 0, sent: 2 },
    ])
    const [read] = await store.jobs.parts(id, all)
    const { state, sent, ended } = read ?? {}
    assert.equal({ state, sent, ended }, { state: 'success', sent: 2, ended: success(id, 0).ended })
  })
}

function updateSequences(rule: Rule): void {
  rule('a finished job accepts late updates, and can become unfinished again', async store => {
    const id = await store.jobs.add(job(), parts(many))
    await store.jobs.update(upTo(many).map(index => success(id, index)))
    assert.equal(await store.jobs.unfinished(), [])
    await store.jobs.update([{ job: id, index: 130, state: 'failure', output: 'late' }])
    assert.equal((await store.jobs.find(id))?.counts, { ...noParts, success: many - 1, failure: 1 })
    await store.jobs.update([{ job: id, index: 140, state: 'queued' }])
    const [again] = await store.jobs.unfinished()
    assert.is(again?.job.id, id)
    assert.equal(
      again?.parts.map(({ index }) => index),
      [140],
    )
    const read = await store.jobs.parts(id, all)
    assert.is(read.length, many)
    assert.is(read[130]?.output, 'late')
    assert.is(read[140]?.state, 'queued')
    await store.jobs.update([success(id, 140)])
    assert.equal(await store.jobs.unfinished(), [])
    assert.is((await store.jobs.parts(id, all)).length, many)
  })

  rule('updates in any sequence and in batches of any size give the same result', async store => {
    const id = await store.jobs.add(job(), parts(many, { state: 'sent' }))
    const indexes = upTo(many).map(at => (at * 7) % many)
    for (let from = 0, size = 1; from < many; from += size, size *= 2) {
      await store.jobs.update(indexes.slice(from, from + size).map(index => success(id, index, `out ${index}`)))
      const { counts } = (await store.jobs.find(id)) ?? {}
      const done = Math.min(many, from + size)
      assert.equal(counts, { ...noParts, sent: many - done, success: done })
    }
    const { job: _, ...outcome } = success(id, 0)
    const expected = parts(many, outcome).map((part, index) => ({ ...part, ...success(id, index, `out ${index}`) }))
    assert.equal(
      (await store.jobs.parts(id, all)).map(part => ({ ...part, job: id })),
      expected,
    )
  })
}

function jobCopies(rule: Rule): void {
  rule('a caller cannot change a stored job through the objects that it passed or read', async store => {
    const addedJob = job({ steps: [{ command: 'shell-run', payload: { run: 'date' } }] })
    const addedParts = parts(2)
    const id = await store.jobs.add(addedJob, addedParts)
    const spoil = (steps = addedJob.steps, list: Part[] = addedParts) => {
      for (const step of steps) step.payload.run = 'rm'
      for (const part of list) part.output = 'spoilt'
    }
    spoil()
    const read = await store.jobs.find(id)
    if (read) read.counts.queued = 9
    spoil(read?.steps, await store.jobs.parts(id, all))
    const [first] = await store.jobs.unfinished()
    spoil(first?.job.steps, first?.parts)
    const [listed] = await store.jobs.list({ limit: 1 })
    spoil(listed?.steps)
    assert.equal(listed?.counts, { ...noParts, queued: 2 })
    assert.equal((await store.jobs.find(id))?.steps, [{ command: 'shell-run', payload: { run: 'date' } }])
    assert.equal(await store.jobs.parts(id, all), withIndexes(parts(2)))
  })

  rule('a reader sees either all updates of one step or none', async store => {
    const id = await store.jobs.add(job(), parts(many))
    const updating = store.jobs.update(upTo(many).map(index => success(id, index)))
    const { counts } = (await store.jobs.find(id)) ?? {}
    assert.ok(counts?.success === 0 || counts?.success === many)
    await updating
  })
}

conformance({ jobs, partUpdates, updateSequences, jobCopies })
