// The schemas of the firings of schedules, in answers.
import { partStates } from './jobs.ts'
import { address, described, integer, like, list, object, text, time } from './objects.ts'

export const firingProblem = object({
  state: { enum: partStates, examples: ['failure'] },
  command: described(text, 'of the step that did not succeed', 'shell-run'),
  'reason?': like(text, 'no answer in time'),
  computers: described(integer, 'how many', 2),
  clients: list(address, 'the first 100 of them'),
})

export const firing = object({
  schedule: described(integer, 'its id; it may be gone', 3),
  name: described(text, 'of the schedule', 'Updates'),
  time: described(time, 'when it was due'),
  state: {
    enum: ['running', 'ended', 'empty', 'refused', 'missed'],
    description: 'empty: it found no computer; missed: no daemon ran it',
    examples: ['ended'],
  },
  'job?': described(integer, 'the id of its job, which may not be stored any more', 9),
  'reason?': described(text, 'why it has no computers or no job'),
  'ended?': described(time, 'when its last computer had ended'),
  computers: like(integer, 30),
  succeeded: described(integer, 'computers on which every step did', 28),
  failed: described(integer, 'computers on which a step failed', 1),
  not_run: described(integer, 'computers that were skipped or cancelled, or whose time was over before they began', 1),
  waiting: described(integer, 'computers on which a step runs or waits', 0),
  'until?': described(time, 'until then those that wait may begin'),
  problems: list(firingProblem, 'computers that have not succeeded, by reason: the 20 largest groups'),
})
