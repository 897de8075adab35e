// The engines are each other's model: random sequences of calls have the same results with each, new ones in each run.
import fc from 'fast-check'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import open from '../../stores/memory/index.ts'
import openPostgres from '../../stores/postgres/index.ts'
import type { Store } from '../../stores/store.ts'
import { everything } from '../conformance/fill.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { checkRandom } from '../harness/random-runs.ts'
import { skipFile } from '../harness/skip-file.ts'
import { newFolder, openIn, silent } from '../harness/store-folders.ts'
import { type RandomCall, randomCall } from './random-calls.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

export const runs = { seconds: 60 }

const server = await startPostgres()
let opened = 0

/** New ones: ids are never assigned again. */
async function openStores() {
  opened += 1
  const memory = await open({ adapter: 'memory', path: '' }, silent)
  // Small, so that snapshots are taken, too.
  const lowdb = await openIn(await newFolder(), { journal_bytes: 20_000 })
  const postgres = await openPostgres({ ...server.storeOptions(`engines_${opened}`), path: '' }, silent)
  return {
    memory,
    lowdb,
    postgres,
    close: () => Promise.all([memory.close(), lowdb.remove(), postgres.close()]),
  }
}

/** As JSON, for engines may leave out what is undefined; a failure of the engine is a result, too. */
const resultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    value => JSON.parse(JSON.stringify(value ?? null)),
    (error: Error) => ({ failed: error.message }),
  )

/** The calls and the results in memory are the message of an error. */
async function compare(calls: readonly RandomCall[]): Promise<void> {
  const { memory, lowdb, postgres, close } = await openStores()
  const done: string[] = []
  async function check(name: string, call: (store: Store) => Promise<unknown>): Promise<void> {
    const [expected, ...results] = await Promise.all(
      [memory, lowdb.store, postgres].map(store => resultOf(call(store))),
    )
    done.push(`${name}: ${JSON.stringify(expected)}`)
    for (const result of results) equal(result, expected, `${done.join('\n')}, but: ${JSON.stringify(result)}`)
  }
  try {
    for (const { name, call } of calls) await check(name, call)
    await check('everything', everything)
    await lowdb.reopen()
    await check('everything, opened again', everything)
  } finally {
    await close()
  }
}

const test = suite('engines')
test.after(() => server.stop())

test('random sequences of calls have the same results with each engine', async () => {
  const property = fc.asyncProperty(fc.array(randomCall, { maxLength: 60, size: 'max' }), compare)
  await checkRandom(property, 12)
})

test.run()
