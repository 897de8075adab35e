// What becomes of the outcomes of parts that cannot be stored.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { JobStore } from '../../host/jobs/record/job-store.ts'
import { JobRecorder } from '../../host/jobs/record/recorder.ts'
import { createLog } from '../../host/log/log.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { pollUntil } from '../harness/poll.ts'

const firstLines = (lines: string[]) =>
  lines.map(line =>
    line
      .split('\n')[0]
      ?.replace(/^\S+ +/, '')
      .trim(),
  )

/** The first `failures` updates are not stored. */
function createRecorder(failures: number) {
  const lines: string[] = []
  const clock = createManualClock()
  let tries = 0
  const jobStore: Partial<JobStore> = {
    async update() {
      tries += 1
      if (tries <= failures) throw new Error('away')
    },
  }
  const log = createLog(line => lines.push(line))
  // `as`: the recorder uses nothing else for an update.
  const recorder = new JobRecorder({ jobStore: jobStore as JobStore, clock, log, startJob: () => undefined })
  return { recorder, clock, lines, tries: () => tries }
}

const test = suite('recorder')

test('an outcome that could not be stored is tried again after a second, with one line when it is stored', async () => {
  const { recorder, clock, lines, tries } = createRecorder(2)
  recorder.end(1, 0, { result: 'success', answered: true })
  await pollUntil(() => lines.length === 1)
  await clock.advance(999)
  equal(tries(), 1)
  await clock.advance(1001)
  await pollUntil(() => lines.length === 2)
  equal(firstLines(lines), [
    'error jobs: could not store 1 part updates, retrying: away',
    'info  jobs: stored 1 part updates that waited for the store',
  ])
  equal(tries(), 3)
})

test('a daemon that stops tries at once, and says what is lost', async () => {
  for (const [failures, last] of [
    [1, 'info  jobs: stored 1 part updates that waited for the store'],
    [2, 'error jobs: could not store 1 part updates, lost: away'],
  ] as const) {
    const { recorder, lines, tries } = createRecorder(failures)
    recorder.end(1, 0, { result: 'success', answered: true })
    await pollUntil(() => lines.length === 1)
    await recorder.close()
    equal([tries(), firstLines(lines).at(-1)], [2, last])
  }
})

test.run()
