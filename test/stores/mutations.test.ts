// Mutations of the tables in memory: one that fails leaves nothing behind, and one that changes nothing writes nothing.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { defaultLimits } from '../../stores/check-options.ts'
import { MemoryOutputs } from '../../stores/memory/memory-outputs.ts'
import { createStore } from '../../stores/memory/store.ts'
import { createTables } from '../../stores/memory/tables/tables.ts'
import type { Transaction } from '../../stores/memory/tables/transaction.ts'
import { job, part } from '../conformance/work-samples.ts'

const test = suite('mutations')

/** An output that cannot be kept. */
const unkept = 'an output of a script that cannot be kept'
const kept = 'an output of a script that can be kept'

class FailingOutputs extends MemoryOutputs {
  override add(row: number, text: string): number {
    if (text === unkept) throw new Error('no room for outputs')
    return super.add(row, text)
  }
}

function start() {
  const tables = createTables()
  const committed: Transaction[] = []
  const store = createStore(tables, new FailingOutputs(tables, defaultLimits), async transaction => {
    committed.push(transaction)
  })
  return { store, committed }
}

test('a mutation that throws half way leaves all rows and ids as they were', async () => {
  const { store, committed } = start()
  const first = await store.jobs.add(job(), [part('10.0.0.1')])
  const second = await store.jobs.add(job(), [part('10.0.0.2')])
  const read = () => Promise.all([first, second].map(id => store.jobs.parts(id, { limit: 10, outputs: true })))
  const [before, count] = [await read(), committed.length]
  const updates = [
    { job: first, index: 0, state: 'success', output: kept } as const,
    { job: second, index: 0, state: 'success', output: unkept } as const,
  ]
  try {
    await store.jobs.update(updates)
    ok(false, 'the update did not fail')
  } catch (error) {
    is(String(error), 'Error: no room for outputs')
  }
  equal(await read(), before)
  is(committed.length, count)
})

test('updates of parts that do not exist change no row, also not of a finished job', async () => {
  const { store, committed } = start()
  const id = await store.jobs.add(job(), [part('10.0.0.1')])
  const missing = [
    { job: id + 1, index: 0, state: 'success' } as const,
    { job: id, index: 7, state: 'success' } as const,
  ]
  await store.jobs.update(missing)
  equal(committed.at(-1)?.changes, [])
  await store.jobs.update([{ job: id, index: 0, state: 'success' }])
  is(committed.at(-1)?.changes.length, 1)
  await store.jobs.update(missing)
  equal(committed.at(-1)?.changes, [])
})

test.run()
