// Stored events reach a hook at least once, however the daemon ends. `npm run attack -- --only hook-kills` kills more often.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { endPrograms } from '../harness/daemon-process.ts'
import { killWithHook } from '../harness/hook-kills.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { createRandom } from '../tools/attack/mutate.ts'

export const runs = { alone: true }

const test = suite('hooks of a daemon that is killed')

test.after(endPrograms)

test('each finished job reaches the hook, though the daemon is killed while callers store jobs', async () => {
  const { stored, missing } = await killWithHook(3, createRandom(1))
  equal(missing, [])
  ok(stored > 0)
})

test('the same with PostgreSQL', async () => {
  if (postgresPrograms === undefined) return
  const server = await startPostgres({ fsync: true })
  try {
    const store = server.storeOptions('hooks')
    equal((await killWithHook(2, createRandom(2), store)).missing, [])
  } finally {
    await server.stop()
  }
})

test.run()
