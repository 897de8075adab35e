// The answer of both commands for draining.
import { described, flag, integer, list, object } from './objects.ts'

const runningJob = object({ id: integer, running: described(integer, 'parts that have not ended') })

export const drainState = object({
  draining: described(flag, 'commands for clients are refused, and queued parts wait for the restart'),
  running: described(integer, 'parts that have not ended; with 0 a restart interrupts nothing'),
  queued: described(integer, 'parts that wait, also over a restart'),
  running_jobs: list(runningJob, 'the first 100 jobs with running parts'),
})
