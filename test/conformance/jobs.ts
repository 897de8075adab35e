// The rules for jobs and their parts.
import * as assert from 'uvu/assert'
import type { JobFilter, Part, Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addLab } from './samples.ts'
import { address, job, part, parts, success } from './work-samples.ts'

/** More than one pack or row may hold. */
const many = 300
const all = { limit: 1e6 }
const none = { queued: 0, sent: 0, success: 0, failure: 0, skipped: 0, expired: 0, cancelled: 0 }
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)
const numbered = (given: Part[]) => given.map((part, index) => ({ index, ...part }))

export function jobs(rule: Rule): void {
  rule('a job is found with its steps and counts, its parts in the order that was given', async store => {
    const steps = [
      { command: 'wol', payload: { type: 'broadcast', deep: [{ ñ: null }] } },
      { command: 'shell-run', payload: { run: 'a\n"b"' } },
    ]
    const given = job({ origin: 'task', name: 'Ñandú', steps })
    const clients = upTo(many).flatMap(at => [part(address(at)), part(address(at), { step: 1, expires: at })])
    const id = await store.jobs.add(given, clients)
    assert.equal(await store.jobs.find(id), { id, ...given, counts: { ...none, queued: 2 * many } })
    assert.equal(await store.jobs.parts(id, all), numbered(clients))
    assert.is(await store.jobs.find(id + 1), undefined)
    assert.equal(await store.jobs.parts(id + 1, all), [])
  })

  rule('a job may be without parts, and is finished then', async store => {
    const id = await store.jobs.add(job(), [])
    assert.equal((await store.jobs.find(id))?.counts, none)
    assert.equal(await store.jobs.unfinished(), [])
    assert.equal(await store.jobs.list({ limit: 1 }), [{ id, ...job(), counts: none }])
  })

  rule('parts come back as they were, in every state and with any text', async store => {
    const states = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled'] as const
    const texts = ['', 'plain', 'ñ ☃ 🖥', '"[1,2]\\', 'two\nlines\0', 'x'.repeat(4095)]
    const times = { queued: 0, sent: 1, ended: Number.MAX_SAFE_INTEGER, expires: 0.5 }
    const given = states.flatMap((state, step) =>
      texts.map(text => part(`client ${text}`, { state, step, ...times, reason: text, output: text })),
    )
    const ended = given.filter(({ state }) => state !== 'queued' && state !== 'sent')
    for (const clients of [given, ended]) {
      const id = await store.jobs.add(job(), clients)
      assert.equal(await store.jobs.parts(id, all), numbered(clients))
    }
  })

  rule('a mark changes what it names and nothing else', async store => {
    const id = await store.jobs.add(job(), parts(many))
    const other = await store.jobs.add(job(), parts(2))
    await store.jobs.update([{ job: id, index: 7, state: 'sent', sent: 5 }])
    await store.jobs.update([
      { job: id, index: 7, state: 'failure', reason: 'no answer', ended: 6, output: 'a', expires: 1 },
      { job: id, index: many - 1, state: undefined, reason: 'x' },
    ])
    const given = parts(many)
    Object.assign(given[7] ?? {}, { state: 'failure', reason: 'no answer', sent: 5, ended: 6, output: 'a', expires: 1 })
    Object.assign(given[many - 1] ?? {}, { reason: 'x' })
    assert.equal(await store.jobs.parts(id, all), numbered(given))
    assert.equal((await store.jobs.find(id))?.counts, { ...none, queued: many - 1, failure: 1 })
    assert.equal(await store.jobs.parts(other, all), numbered(parts(2)))
  })

  rule('marks of jobs and parts that do not exist are passed over, the others count', async store => {
    const first = await store.jobs.add(job(), parts(many))
    const second = await store.jobs.add(job(), parts(2))
    const strange = [-1, many, 1e6, 0.5, Number.NaN].map(index => success(first, index))
    const unknown = [0, -1, second + 1, 0.5].map(job => success(job, 0))
    await store.jobs.update([...strange, success(second, 1), ...unknown, success(second, -1)])
    assert.equal((await store.jobs.find(first))?.counts, { ...none, queued: many })
    assert.equal((await store.jobs.find(second))?.counts, { ...none, queued: 1, success: 1 })
    await store.jobs.update([])
  })

  rule('of several marks of a part in one step the last one counts', async store => {
    const id = await store.jobs.add(job(), parts(1))
    await store.jobs.update([
      { job: id, index: 0, state: 'sent', sent: 1 },
      success(id, 0),
      { job: id, index: 0, sent: 2 },
    ])
    const [read] = await store.jobs.parts(id, all)
    assert.equal([read?.state, read?.sent, read?.ended], ['success', 2, success(id, 0).ended])
  })

  rule('a finished job takes late marks, and may become unfinished again', async store => {
    const id = await store.jobs.add(job(), parts(many))
    await store.jobs.update(upTo(many).map(index => success(id, index)))
    assert.equal(await store.jobs.unfinished(), [])
    await store.jobs.update([{ job: id, index: 130, state: 'failure', output: 'late' }])
    assert.equal((await store.jobs.find(id))?.counts, { ...none, success: many - 1, failure: 1 })
    await store.jobs.update([{ job: id, index: 140, state: 'queued' }])
    const [again] = await store.jobs.unfinished()
    assert.equal([again?.job.id, again?.parts.map(({ index }) => index)], [id, [140]])
    const read = await store.jobs.parts(id, all)
    assert.equal([read.length, read[130]?.output, read[140]?.state], [many, 'late', 'queued'])
    await store.jobs.update([success(id, 140)])
    assert.equal(await store.jobs.unfinished(), [])
    assert.is((await store.jobs.parts(id, all)).length, many)
  })

  rule('marks in any order and any batches leave what they say', async store => {
    const id = await store.jobs.add(job(), parts(many, { state: 'sent' }))
    const order = upTo(many).map(at => (at * 7) % many)
    for (let from = 0, size = 1; from < many; from += size, size *= 2) {
      await store.jobs.update(order.slice(from, from + size).map(index => success(id, index, `out ${index}`)))
      const { counts } = (await store.jobs.find(id)) ?? {}
      const done = Math.min(many, from + size)
      assert.equal(counts, { ...none, sent: many - done, success: done })
    }
    const { job: _, ...outcome } = success(id, 0)
    const expected = parts(many, outcome).map((part, index) => ({ ...part, ...success(id, index, `out ${index}`) }))
    assert.equal(
      (await store.jobs.parts(id, all)).map(part => ({ ...part, job: id })),
      expected,
    )
  })

  rule('what was given and what is read are copies', async store => {
    const given = job({ steps: [{ command: 'shell-run', payload: { run: 'date' } }] })
    const clients = parts(2)
    const id = await store.jobs.add(given, clients)
    const spoil = (steps = given.steps, of: Part[] = clients) => {
      for (const step of steps) step.payload.run = 'rm'
      for (const part of of) part.output = 'spoilt'
    }
    spoil()
    const found = await store.jobs.find(id)
    if (found) found.counts.queued = 9
    spoil(found?.steps, await store.jobs.parts(id, all))
    const [first] = await store.jobs.unfinished()
    spoil(first?.job.steps, first?.parts)
    const [listed] = await store.jobs.list({ limit: 1 })
    spoil(listed?.steps)
    assert.equal(listed?.counts, { ...none, queued: 2 })
    assert.equal((await store.jobs.find(id))?.steps, [{ command: 'shell-run', payload: { run: 'date' } }])
    assert.equal(await store.jobs.parts(id, all), numbered(parts(2)))
  })

  rule('of a job with an outcome all or nothing is there, whoever reads meanwhile', async store => {
    const id = await store.jobs.add(job(), parts(many))
    const marking = store.jobs.update(upTo(many).map(index => success(id, index)))
    const { counts } = (await store.jobs.find(id)) ?? {}
    assert.ok(counts?.success === 0 || counts?.success === many)
    await marking
  })
}

export function listing(rule: Rule): void {
  async function addThree(store: Store): Promise<number[]> {
    const wake = [{ command: 'wol', payload: { run: '"command":"shell-run"' } }]
    return [
      await store.jobs.add(job(), [part('10.0.0.1'), part('10.0.0.2', { state: 'failure' })]),
      await store.jobs.add(job({ steps: [...wake, ...job().steps] }), [part('10.0.0.1', { state: 'success' })]),
      await store.jobs.add(job({ steps: wake }), [...parts(many), part('10.0.0.11', { state: 'skipped' })]),
    ]
  }

  rule('jobs are listed newest first, as many as wanted', async store => {
    const ids = await addThree(store)
    const listed = async (limit: number) => (await store.jobs.list({ limit })).map(({ id }) => id)
    assert.equal(await listed(10), ids.toReversed())
    assert.equal(await listed(2), ids.toReversed().slice(0, 2))
    assert.equal(await listed(0), [])
    const [third] = await store.jobs.list({ limit: 1 })
    assert.equal(third?.counts, { ...none, queued: many, skipped: 1 })
  })

  rule('jobs are listed by a step, by a state, by a client, and by one part that fits both', async store => {
    const [first, second, third] = await addThree(store)
    const wanted: [Omit<JobFilter, 'limit'>, (number | undefined)[]][] = [
      [{ command: 'shell-run' }, [second, first]],
      [{ command: 'wol' }, [third, second]],
      [{ command: 'other' }, []],
      [{ state: 'queued' }, [third, first]],
      [{ state: 'success' }, [second]],
      [{ state: 'expired' }, []],
      [{ client: '10.0.0.1' }, [second, first]],
      [{ client: '10.0.0.11' }, [third]],
      [{ client: address(many - 1) }, [third]],
      [{ client: '10.0.0' }, []],
      [{ client: '10.0.0.1', state: 'failure' }, []],
      [{ client: '10.0.0.2', state: 'failure' }, [first]],
      [{ client: '10.0.0.1', state: 'success', command: 'wol' }, [second]],
      [{ client: '10.0.0.1', command: 'wol' }, [second]],
    ]
    for (const [filter, ids] of wanted) {
      const found = await store.jobs.list({ ...filter, limit: 10 })
      assert.equal(
        found.map(({ id }) => id),
        ids,
        JSON.stringify(filter),
      )
    }
    assert.is((await store.jobs.list({ command: 'wol', limit: 1 }))[0]?.id, third)
  })

  rule('parts are read page by page, all or those of one client', async store => {
    const clients = upTo(many).map(at => part(address(at % 3), { step: Math.floor(at / 3) }))
    const id = await store.jobs.add(job(), clients)
    for (const state of ['queued', 'success'] as const) {
      await store.jobs.update(upTo(many).map(index => ({ job: id, index, state })))
      const read = async (page: Parameters<Store['jobs']['parts']>[1]) =>
        (await store.jobs.parts(id, page)).map(({ index }) => index)
      assert.equal(await read({ limit: 2 }), [0, 1])
      assert.equal(await read({ after: 126, limit: 4 }), [127, 128, 129, 130])
      assert.equal(await read({ after: many - 2, limit: 4 }), [many - 1])
      assert.equal(await read({ after: many, limit: 4 }), [])
      assert.equal(await read({ client: address(1), limit: 3 }), [1, 4, 7])
      assert.equal(await read({ client: address(1), after: 150, limit: 2 }), [151, 154])
      assert.equal(
        await read({ client: address(1), limit: 1000 }),
        upTo(many / 3).map(at => 3 * at + 1),
      )
      assert.equal(await read({ client: address(3), limit: 1000 }), [])
    }
  })

  rule(
    'unfinished jobs are told oldest first with what is queued or sent, also after opening again',
    async (first, { reopen }) => {
      const ids = [await first.jobs.add(job(), parts(many)), await first.jobs.add(job(), parts(3, { state: 'sent' }))]
      const [one = 0, two = 0] = ids
      await first.jobs.add(job(), parts(3, { state: 'skipped' }))
      await first.jobs.update(upTo(many - 1).map(index => success(one, index)))
      await first.jobs.update([success(two, 1)])
      const check = async (store: Store) => {
        const found = await store.jobs.unfinished()
        assert.equal(
          found.map(({ job, parts }) => [job, parts.map(({ index, state }) => [index, state])]),
          [
            [{ id: one, ...job() }, [[many - 1, 'queued']]],
            [{ id: two, ...job() }, [0, 2].map(index => [index, 'sent'])],
          ],
        )
      }
      await check(first)
      if (!reopen) return
      const again = await reopen()
      await check(again)
      await again.jobs.update([success(one, many - 1), success(two, 0), success(two, 2)])
      assert.equal(await (await reopen()).jobs.unfinished(), [])
    },
  )
}

export function trimming(rule: Rule): void {
  const listed = async (store: Store) => (await store.jobs.list(all)).map(({ id }) => id)

  rule('finished jobs go when they are old or too many, unfinished ones never', async store => {
    const ended = (created: number) => store.jobs.add(job({ created }), parts(many, { state: 'success' }))
    const [one, two, three, four] = [await ended(1000), await ended(2000), await ended(3000), await ended(4000)]
    const going = await store.jobs.add(job({ created: 0 }), parts(2))
    assert.is(await store.jobs.trim({ before: 0, keep: 4 }), 0)
    assert.is(await store.jobs.trim({ before: 2000, keep: 4 }), 1)
    assert.equal(await listed(store), [going, four, three, two])
    assert.is(await store.jobs.trim({ before: 0, keep: 2 }), 1)
    assert.equal(await listed(store), [going, four, three])
    assert.equal([await store.jobs.find(one), await store.jobs.parts(two, all)], [undefined, []])
    await store.jobs.update([success(one, 0), success(two, 1)])
    assert.is(await store.jobs.trim({ before: 9000, keep: 0 }), 2)
    assert.equal(await listed(store), [going])
    assert.is((await store.jobs.parts(going, all)).length, 2)
    assert.ok((await store.jobs.add(job(), [])) > going)
  })

  rule('jobs outlive the computers and the center that they were for', async store => {
    await addLab(store, '10.0.0.1')
    const id = await store.jobs.add(job(), [part('10.0.0.1')])
    await store.centers.delete(1)
    assert.equal(await listed(store), [id])
  })
}
