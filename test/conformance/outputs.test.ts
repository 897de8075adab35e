// The rules for outputs of parts: they are read as they were stored, until newer ones need their space.
import * as assert from 'uvu/assert'
import type { IndexedPart, Store } from '../../stores/store.ts'
import { entriesOf, toStream } from './fill.ts'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'
import { job, part, parts, success, upTo } from './work-samples.ts'

export const runs = { postgres: true }

/** More parts than one chunk holds. */
const many = 300
const all = { limit: 1e6 }

/** Bytes of outputs that the stores of the rules for the limit may keep. */
const limit = 100_000
const outputBytes = 1000
/** Outputs that fit even if the store deletes an eighth of the limit at once. */
const fitting = (limit * 7) / 8 / outputBytes - 10

/** Different for each number. */
const output = (number: number) => `output ${number} `.padEnd(outputBytes, 'abc\n')

const outputsOf = (parts: IndexedPart[]) => parts.map(({ output }) => output)

function outputs(rule: Rule): void {
  rule(
    'long outputs with any text are read as they were stored, also after opening again',
    async (store, { reopen }) => {
      const texts = [
        '',
        'ok',
        'ñ☃🖥\0'.repeat(20),
        `${'x'.repeat(4094)}\ud83d`,
        '☃'.repeat(200_000),
        '"\\\n'.repeat(3000),
      ]
      const id = await store.jobs.add(job(), parts(many, { state: 'sent' }))
      const expected = upTo(many).map(at => texts[at % texts.length] ?? '')
      await store.jobs.update(upTo(10).map(index => success(id, index, expected[index])))
      for (const index of [10, 11, 12]) await store.jobs.update([success(id, index, expected[index])])
      await store.jobs.update(upTo(many).map(index => success(id, index, expected[index])))
      assert.equal(outputsOf(await store.jobs.parts(id, all)), expected)
      if (reopen) assert.equal(outputsOf(await (await reopen()).jobs.parts(id, all)), expected)
    },
  )

  rule('an output is replaced by a later one, and stays when other parts of the job change', async store => {
    const id = await store.jobs.add(job(), [part('10.0.0.1', { output: output(1) }), part('10.0.0.2')])
    await store.jobs.update([success(id, 1, output(2))])
    await store.jobs.update([{ job: id, index: 0, state: 'failure', output: output(3) }])
    await store.jobs.update([{ job: id, index: 1, reason: 'late' }])
    assert.equal(outputsOf(await store.jobs.parts(id, all)), [output(3), output(2)])
    assert.equal(outputsOf(await store.jobs.parts(id, { ...all, client: '10.0.0.2' })), [output(2)])
  })

  rule('without outputs parts are read with all other values', async store => {
    const id = await store.jobs.add(job(), parts(2, { output: output(1), reason: 'why' }))
    const withoutOutputs = (list: IndexedPart[]) => list.map(part => ({ ...part, output: '' }))
    const read = await store.jobs.parts(id, { ...all, outputs: false })
    assert.equal(withoutOutputs(read), withoutOutputs(await store.jobs.parts(id, all)))
  })

  rule('a dump contains the outputs, and a store that loads it has them', async (store, { reopen }) => {
    const id = await store.jobs.add(job(), parts(many))
    await store.jobs.update(upTo(many - 1).map(index => success(id, index, output(index))))
    const before = await store.jobs.parts(id, all)
    const entries = await entriesOf(store)
    await store.jobs.update(upTo(many).map(index => success(id, index, output(many + index))))
    await store.backup.load(toStream(entries))
    assert.equal(await store.jobs.parts(id, all), before)
    if (reopen) assert.equal(await (await reopen()).jobs.parts(id, all), before)
  })
}

/** The rules for a store with a limit for outputs. */
function limitOfOutputs(rule: Rule): void {
  /** Adds a job with two parts per number, of which the first one has an output. */
  async function addOutput(store: Store, number: number): Promise<number> {
    const id = await store.jobs.add(job(), parts(2, { state: 'sent' }))
    await store.jobs.update([success(id, 0, output(number)), success(id, 1, '')])
    return id
  }

  const first = async (store: Store, id: number) => (await store.jobs.parts(id, { limit: 1 }))[0]

  rule('the oldest outputs are dropped, which their parts show; all other values stay', async (store, { reopen }) => {
    const ids: number[] = []
    for (const number of upTo(400)) {
      ids.push(await addOutput(store, number))
      // A store keeps all outputs while it loads a dump, and only then.
      if (number === 1) await store.backup.load(toStream(await entriesOf(store)))
    }
    const check = async (store: Store) => {
      const read = await Promise.all(ids.map(id => first(store, id)))
      const oldest = read.findIndex(part => !part?.output_dropped)
      assert.ok(oldest >= 400 - limit / outputBytes && oldest < 400 - fitting, `the first one left is ${oldest}`)
      for (const [number, part] of read.entries()) {
        assert.is(part?.output, number < oldest ? '' : output(number))
        assert.is(part?.output_dropped, number < oldest ? true : undefined)
        assert.is(part?.state, 'success')
      }
      assert.is((await store.jobs.parts(ids[0] ?? 0, all))[1]?.output_dropped, undefined)
    }
    await check(store)
    if (reopen) await check(await reopen())
  })

  rule('outputs of deleted jobs make space before those of other jobs are dropped', async store => {
    const unfinished = await addOutput(store, 0)
    for (const round of upTo(5)) {
      for (const number of upTo(fitting / 2)) await addOutput(store, number)
      await store.jobs.update([{ job: unfinished, index: 1, state: 'sent' }])
      await store.jobs.trim({ before: 0, keep: 0 })
      assert.is((await first(store, unfinished))?.output, output(0), `round ${round}`)
      // Moves it to the newest outputs.
      await store.jobs.update([{ job: unfinished, index: 0, output: output(0) }])
    }
  })

  rule('a dropped output stays dropped in a dump and in the store that loads it', async store => {
    const ids: number[] = []
    for (const number of upTo(200)) ids.push(await addOutput(store, number))
    const before = await Promise.all(ids.map(id => first(store, id)))
    assert.is(before[0]?.output_dropped, true)
    const entries = await entriesOf(store)
    await store.backup.load(toStream(entries))
    const after = await Promise.all(ids.map(id => first(store, id)))
    assert.equal(after, before)
  })
}

conformance({ outputs })
conformance({ limitOfOutputs }, { outputs_bytes: limit })
