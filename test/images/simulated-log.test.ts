// The logs of the simulated lab: the daemon reads from them how far a copy is, and whether it has failed.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { withSitePatterns } from '../../host/images/log-patterns.ts'
import { CopyLog } from '../simulator/copy-log.ts'

/** Reads the log as it was before a copy, then at each of these times, in seconds after its start. */
function readAt(simulated: CopyLog, before: string, started: number, ...times: number[]): ClientLog {
  const log = new ClientLog(withSitePatterns([]))
  log.read(before)
  for (const seconds of times) log.read(simulated.text(started + seconds * 1000))
  return log
}

const test = suite('logs of the simulated lab')

test('a copy that succeeds has a rising percentage, and is complete at its end', () => {
  const simulated = new CopyLog(0)
  const before = simulated.text()
  const started = Date.now()
  equal(simulated.begin('restore', 10, false), { seconds: 10, fails: false })
  const percentAt = (seconds: number) => readAt(simulated, before, started, seconds).progress?.percent
  equal([percentAt(0.5), percentAt(1.5), percentAt(5.5)], [undefined, 10, 50])
  equal(readAt(simulated, before, started, 5.5).progress, { percent: 50, rate: 114_000_000, remaining: 5 })
  const log = readAt(simulated, before, started, 5, 11)
  equal([log.isComplete, log.error], [true, undefined])
})

for (const kind of ['restore', 'create'] as const) {
  test(`each ${kind} of a broken computer fails: with an error, or below 100 %`, () => {
    const results = new Set<string>()
    for (let count = 0; count < 200; count += 1) {
      const simulated = new CopyLog(0)
      const started = Date.now()
      const { seconds, fails } = simulated.begin(kind, 10, true)
      ok(fails && seconds >= 1 && seconds < 10)
      const log = readAt(simulated, 'No command has run.\n', started, seconds / 2, seconds + 1)
      is(log.isComplete, false)
      results.add(log.error ?? log.endReason)
    }
    ok(results.size >= 2)
  })
}

test('of 100 copies about as many fail as the lab was told', () => {
  const simulated = new CopyLog(30)
  const failed = Array.from({ length: 2000 }, () => simulated.begin('create', 10, false)).filter(({ fails }) => fails)
  ok(failed.length > 400 && failed.length < 800)
})

test.run()
