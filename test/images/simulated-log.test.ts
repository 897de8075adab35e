// The logs of the simulated lab: the daemon reads from them how far a copy is, and whether it has failed.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { lineReader } from '../../host/images/log-patterns.ts'
import { CopyLog } from '../tools/simulator/images.ts'

/** Reads the log as it was before a copy, then at each of these times, in seconds after its start. */
async function readAt(simulated: CopyLog, before: string, started: number, ...times: number[]): Promise<ClientLog> {
  const log = new ClientLog(lineReader([]))
  await log.read(Buffer.from(before))
  for (const seconds of times) await log.read(Buffer.from(simulated.text(started + seconds * 1000)))
  return log
}

const test = suite('logs of the simulated lab')

test('a copy that succeeds has a rising percentage, and is complete at its end', async () => {
  const simulated = new CopyLog(0)
  const before = simulated.text()
  const started = Date.now()
  equal(simulated.begin('restore', 10, false), { seconds: 10, fails: false })
  const percentAt = async (seconds: number) => (await readAt(simulated, before, started, seconds)).progress?.percent
  equal([await percentAt(0.5), await percentAt(1.5), await percentAt(5.5)], [0, 10, 50])
  equal((await readAt(simulated, before, started, 5.5)).progress, { percent: 50, rate: 114_000_000, remaining: 5 })
  const log = await readAt(simulated, before, started, 5, 11)
  equal(log.verdict, { result: 'success' })
})

for (const kind of ['restore', 'create'] as const) {
  test(`each ${kind} of a broken computer fails: with an error, or below 100 %`, async () => {
    const results = new Set<string>()
    for (let count = 0; count < 200; count += 1) {
      const simulated = new CopyLog(0)
      const started = Date.now()
      const { seconds, fails } = simulated.begin(kind, 10, true)
      ok(fails && seconds >= 1 && seconds < 10)
      const log = await readAt(simulated, 'No command has run.\n', started, seconds / 2, seconds + 1)
      is(log.verdict.result, 'failure')
      results.add(log.verdict.reason ?? '')
    }
    ok(results.size >= 2)
  })
}

test('of 100 copies about as many fail as the lab is set to', () => {
  const simulated = new CopyLog(30)
  const failed = Array.from({ length: 2000 }, () => simulated.begin('create', 10, false)).filter(({ fails }) => fails)
  ok(failed.length > 400 && failed.length < 800)
})

test.run()
