// The rules for listing jobs, reading their parts and deleting old jobs.
import * as assert from 'uvu/assert'
import type { JobFilter, Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addLab } from './samples.ts'
import { conformance } from './stores.ts'
import { address, job, noParts, part, parts, success, upTo } from './work-samples.ts'

export const runs = { postgres: true }

/** More parts than one chunk holds. */
const many = 300
const all = { limit: 1e6 }

function listing(rule: Rule): void {
  async function addThree(store: Store): Promise<number[]> {
    const wake = [{ command: 'wol', payload: { run: '"command":"shell-run"' } }]
    return [
      await store.jobs.add(job(), [part('10.0.0.1'), part('10.0.0.2', { state: 'failure' })]),
      await store.jobs.add(job({ steps: [...wake, ...job().steps] }), [part('10.0.0.1', { state: 'success' })]),
      await store.jobs.add(job({ steps: wake, schedule: 7 }), [
        ...parts(many),
        part('10.0.0.11', { state: 'skipped' }),
      ]),
    ]
  }

  rule('jobs are listed newest first, up to the limit', async store => {
    const ids = await addThree(store)
    const listed = async (limit: number) => (await store.jobs.list({ limit })).map(({ id }) => id)
    assert.equal(await listed(10), ids.toReversed())
    assert.equal(await listed(2), ids.toReversed().slice(0, 2))
    assert.equal(await listed(0), [])
    const [third] = await store.jobs.list({ limit: 1 })
    assert.equal(third?.counts, { ...noParts, queued: many, skipped: 1 })
  })

  rule(
    'jobs are filtered by a command, a schedule, a state, a client, and by one part that matches state and client',
    async store => {
      const [first, second, third] = await addThree(store)
      const cases: { filter: Omit<JobFilter, 'limit'>; expected: (number | undefined)[] }[] = [
        { filter: { command: 'shell-run' }, expected: [second, first] },
        { filter: { command: 'wol' }, expected: [third, second] },
        { filter: { command: 'other' }, expected: [] },
        { filter: { schedule: 7 }, expected: [third] },
        { filter: { schedule: 7, command: 'shell-run' }, expected: [] },
        { filter: { schedule: 8 }, expected: [] },
        { filter: { state: 'queued' }, expected: [third, first] },
        { filter: { state: 'success' }, expected: [second] },
        { filter: { state: 'expired' }, expected: [] },
        { filter: { client: '10.0.0.1' }, expected: [second, first] },
        { filter: { client: '10.0.0.11' }, expected: [third] },
        { filter: { client: address(many - 1) }, expected: [third] },
        { filter: { client: '10.0.0' }, expected: [] },
        { filter: { client: '10.0.0.1', state: 'failure' }, expected: [] },
        { filter: { client: '10.0.0.2', state: 'failure' }, expected: [first] },
        { filter: { client: '10.0.0.1', state: 'success', command: 'wol' }, expected: [second] },
        { filter: { client: '10.0.0.1', command: 'wol' }, expected: [second] },
      ]
      for (const { filter, expected } of cases) {
        const ids = (await store.jobs.list({ ...filter, limit: 10 })).map(({ id }) => id)
        assert.equal(ids, expected, JSON.stringify(filter))
      }
      assert.is((await store.jobs.list({ command: 'wol', limit: 1 }))[0]?.id, third)
    },
  )
}

function jobsOfClients(rule: Rule): void {
  rule('for some clients, jobs are listed and read as if they had no parts of other clients', async store => {
    const done = { state: 'success' } as const
    const mixed = await store.jobs.add(job(), [part('10.0.0.1'), part('10.0.0.2', done), part('10.0.0.3', done)])
    const other = await store.jobs.add(job(), [part('10.0.0.3', done)])
    const large = await store.jobs.add(job(), [...parts(many), part('10.0.0.1', done), part('10.0.0.11', done)])
    await store.jobs.add(job(), [])
    const clients = ['10.0.0.1', '10.0.0.2', '10.9.9.9']
    const counted = { ...noParts, queued: 1, success: 1 }
    const list = async (filter: Omit<JobFilter, 'limit'>, limit = 10) =>
      (await store.jobs.list({ ...filter, limit })).map(({ id, counts }) => [id, counts])
    assert.equal(await list({ clients }), [
      [large, { ...noParts, success: 1 }],
      [mixed, counted],
    ])
    assert.equal(await list({ clients }, 1), [[large, { ...noParts, success: 1 }]])
    assert.equal(await list({ clients, state: 'queued' }), [[mixed, counted]])
    assert.equal(await list({ clients, client: '10.0.0.2' }), [[mixed, counted]])
    assert.equal(await list({ clients, client: '10.0.0.3' }), [])
    assert.equal(await list({ clients, client: '10.0.0.1', state: 'success' }), [[large, { ...noParts, success: 1 }]])
    assert.equal(await list({ clients, command: 'other' }), [])
    assert.equal(await list({ clients: [] }), [])

    assert.equal((await store.jobs.find(mixed, clients))?.counts, counted)
    assert.is(await store.jobs.find(other, clients), undefined)
    assert.is(await store.jobs.find(1e6, clients), undefined)
    const read = async (id: number, more: object = {}) =>
      (await store.jobs.parts(id, { limit: 10, clients, ...more })).map(({ index, client }) => [index, client])
    assert.equal(await read(mixed), [
      [0, '10.0.0.1'],
      [1, '10.0.0.2'],
    ])
    assert.equal(await read(mixed, { client: '10.0.0.3' }), [])
    assert.equal(await read(mixed, { limit: 1, after: 0 }), [[1, '10.0.0.2']])
    assert.equal(await read(large), [[many, '10.0.0.1']])
  })
}

function jobParts(rule: Rule): void {
  rule('parts are read in pages, of all clients or of one client', async store => {
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
      await store.jobs.update([{ job: id, index: 130, state: 'sent' }])
      assert.equal(await read({ state: 'sent', limit: 9 }), [130])
    }
  })

  rule(
    'unfinished jobs are listed oldest first with their queued and sent parts, also after opening again',
    async (first, { reopen }) => {
      const ids = [await first.jobs.add(job(), parts(many)), await first.jobs.add(job(), parts(3, { state: 'sent' }))]
      const [one = 0, two = 0] = ids
      await first.jobs.add(job(), parts(3, { state: 'skipped' }))
      await first.jobs.update(upTo(many - 1).map(index => success(one, index)))
      await first.jobs.update([success(two, 1)])
      const check = async (store: Store) => {
        const unfinished = await store.jobs.unfinished()
        assert.equal(
          unfinished.map(({ job, parts }) => ({ job, parts: parts.map(({ index, state }) => ({ index, state })) })),
          [
            { job: { id: one, ...job() }, parts: [{ index: many - 1, state: 'queued' }] },
            { job: { id: two, ...job() }, parts: [0, 2].map(index => ({ index, state: 'sent' })) },
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

function trimming(rule: Rule): void {
  const listed = async (store: Store) => (await store.jobs.list(all)).map(({ id }) => id)

  rule('finished jobs are deleted when they are old or too many, unfinished jobs never', async store => {
    const ended = (created: number) => store.jobs.add(job({ created }), parts(many, { state: 'success' }))
    const [one, two, three, four] = [await ended(1000), await ended(2000), await ended(3000), await ended(4000)]
    const unfinished = await store.jobs.add(job({ created: 0 }), parts(2))
    assert.is(await store.jobs.trim({ before: 0, keep: 4 }), 0)
    assert.is(await store.jobs.trim({ before: 2000, keep: 4 }), 1)
    assert.equal(await listed(store), [unfinished, four, three, two])
    assert.is(await store.jobs.trim({ before: 0, keep: 2 }), 1)
    assert.equal(await listed(store), [unfinished, four, three])
    assert.is(await store.jobs.find(one), undefined)
    assert.equal(await store.jobs.parts(two, all), [])
    await store.jobs.update([success(one, 0), success(two, 1)])
    assert.is(await store.jobs.trim({ before: 9000, keep: 0 }), 2)
    assert.equal(await listed(store), [unfinished])
    assert.is((await store.jobs.parts(unfinished, all)).length, 2)
    assert.ok((await store.jobs.add(job(), [])) > unfinished)
  })

  rule('jobs stay when the computers and the center of their clients are deleted', async store => {
    await addLab(store, '10.0.0.1')
    const id = await store.jobs.add(job(), [part('10.0.0.1')])
    await store.centers.delete(1)
    assert.equal(await listed(store), [id])
  })
}

function unfinishedPages(rule: Rule): void {
  rule('unfinished parts are read in pages, and those that wait are counted by account', async store => {
    const account = 'token:1'
    const first = await store.jobs.add(job({ account }), parts(3))
    const second = await store.jobs.add(job({ account }), parts(200))
    await store.jobs.update([success(first, 1), { job: second, index: 0, state: 'sent' }])
    await store.jobs.add(job(), parts(1))
    const read: string[] = []
    let after: { job: number; index: number } | undefined
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await store.jobs.unfinished({ after, limit: 50 })
      const names = page.flatMap(({ job: { id }, parts: some }) => some.map(({ index }) => ({ job: id, index })))
      if (names.length === 0) break
      read.push(...names.map(name => `${name.job}:${name.index}`))
      after = names.at(-1)
    }
    const all = (await store.jobs.unfinished()).flatMap(({ job: { id }, parts: some }) =>
      some.map(({ index }) => `${id}:${index}`),
    )
    assert.equal([read.length, read], [203, all])
    const waiting = (await store.jobs.waiting()).sort((a, b) => b.parts - a.parts)
    assert.equal(
      waiting.map(({ characters, ...counts }) => ({ ...counts, hasSteps: characters > 0 })),
      [
        { account, parts: 201, jobs: 2, hasSteps: true },
        { account: '', parts: 1, jobs: 1, hasSteps: true },
      ],
    )
  })
}

conformance({ listing, jobsOfClients, jobParts, trimming, unfinishedPages })
