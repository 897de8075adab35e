// Stored events reach a hook at least once, however the daemon ends. `npm run attack -- --only hook-kills` kills more often.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, not, ok } from 'uvu/assert'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { killWithHook } from '../harness/hook-kills.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { roundsOf } from '../harness/rounds.ts'
import { createRandom } from '../tools/attack/mutate.ts'

export const runs = { alone: true }

const test = suite('hooks of a daemon that is killed')

test.after(endPrograms)

test('each finished job reaches the hook in its order, though the daemon is killed while callers store jobs', async () => {
  const { stored, missing, outOfOrder } = await killWithHook({ rounds: roundsOf(2), random: createRandom(1) })
  equal([missing, outOfOrder], [[], 0])
  ok(stored > 0)
})

test('the same with PostgreSQL', async () => {
  if (postgresPrograms === undefined) return
  const server = await startPostgres({ fsync: true })
  try {
    const store = server.storeOptions('hooks')
    const { missing, outOfOrder } = await killWithHook({ rounds: roundsOf(1), random: createRandom(2), store })
    equal([missing, outOfOrder], [[], 0])
  } finally {
    await server.stop()
  }
})

test('after a crash a hook gets one events-missing for the events that were only in memory', async () => {
  const folder = newFolder()
  const source = `export default { summary: 'Log', on: ['client-ready'], run({ events, services }) {
    services.log.info('got ' + events.map(({ type, since, until }) => type + ' ' + (since <= until)).join())
  } }`
  writeFileSync(join(folder, 'ready.ts'), source)
  const options = { store: { path: './data' }, commands: [folder] }
  const env = { FLEET_API_TOKEN: 'secret of a test' }
  const first = startProgram(folder, { options, env })
  const isKnown = async () => (await first.call(env.FLEET_API_TOKEN, 'GET /hooks')).json.hooks[0]?.state === 'waiting'
  await pollUntil(isKnown)
  first.kill('SIGKILL')
  await first.ended
  const second = startProgram(folder, { options, env })
  await second.waitFor(/got events-missing true/)
  second.kill('SIGTERM')
  await second.ended
  const third = startProgram(folder, { options, env })
  await third.port()
  third.kill('SIGTERM')
  await third.ended
  not.match(third.output(), 'got')
  removeFolder(folder)
})

test.run()
