// The schemas of jobs and their parts in answers.
import { byState, partStates } from '../../stores/rules/part-states.ts'
import { failure } from './clients.ts'
import { address, described, integer, integers, like, list, object, text, time } from './objects.ts'

export const waiting = described(
  object({
    for: {
      enum: ['off', 'busy', 'step', 'slot', 'batch', 'logout'],
      description: 'its computer, off or busy; the step before; a slot of its repository, a turn in a batch, a logout',
    },
    'woken?': described(time, 'when its computer, which is off, was woken last; as far as the daemon knows'),
    'until?': described(time, 'it expires unless it begins until then'),
    'place?': described(integer, 'from 1, among all that wait for the same', 7),
    'seconds?': described(integer, 'until it starts, about', 1200),
  }),
  'what a queued part waits for',
)

const oneSuccess = byState(state => (state === 'success' ? 1 : 0))
const deadline = described(time, 'when it fails without a reply')
const running = object({ seconds: described(integer, 'since it was sent', 12), 'deadline?': deadline })

const copyProgress = {
  percent: like({ type: 'number' }, 45.2),
  'rate?': described(integer, 'bytes per second', 85_000_000),
  'remaining?': described(integer, 'seconds', 90),
}

export const progress = described(object(copyProgress), 'how far a part is that copies an image; only while it runs')

export { partStates }

export const entry = {
  id: like(integer, 7),
  created: time,
  origin: { enum: ['request', 'task', 'procedure', 'schedule', 'retry', 'pack'], description: 'what has created it' },
  name: described(text, 'the command, or the name of the task, procedure or schedule', 'shell-run'),
  by: described(text, 'the name of who asked for it; empty for jobs of earlier versions', 'token lab'),
  'caller?': described(text, 'the address of the caller who asked for it; absent for schedules', '10.1.0.5'),
  'where?': described(text, 'the query that has found its computers', 'tag:exam'),
  'schedule?': described(integer, 'the id of the schedule that has started it, which may be gone'),
  'retry_of?': described(integer, 'of a retry: the id of the job that it repeats, which may be gone', 6),
  commands: list(like(text, 'shell-run'), 'the commands of the first 20 steps'),
  'steps?': described(integer, 'the number of steps, when there are more'),
  counts: described(object(integers(oneSuccess)), 'number of parts in each state'),
  arguments: list(
    { type: ['object', 'null'], examples: [{ run: 'uname -r', echo: true }] },
    'what was asked, of the steps in `commands`: texts are cut at 4096 characters; of many long ones the last are null',
  ),
} as const

const part = {
  client: address,
  step: described(integer, 'from 0', 0),
  command: like(text, 'shell-run'),
  state: { enum: partStates, examples: ['success'] },
  'reason?': described(text, 'why it failed, was skipped or was cancelled; or why a success could not be confirmed'),
  'stopped?': failure.properties.stopped,
  'progress?': progress,
  'waiting?': waiting,
  'running?': described(running, 'only while it runs'),
  queued: time,
  'sent?': time,
  'ended?': time,
  'output?': described(text, 'what its script printed; only with ?client=', '6.8.0-45-generic\n'),
  'output_dropped?': { enum: [true], description: 'the output was dropped, as newer ones needed its space' },
} as const

const jobResult = {
  ...entry,
  parts: list(object(part), 'one per client and step'),
  'next?': described(integer, 'for ?after= of the next page; absent on the last one'),
}

const listed = {
  ...entry,
  computers: described(object(integers({ ...oneSuccess, stopped: 0 })), 'by their first step that did not succeed'),
  'room?': described(text, 'the name of the room of all its computers, of a job with at most 500 parts', 'Lab'),
  'rooms?': described(integer, 'in so many rooms its computers are, when there are several', 3),
  'running?': described(running, 'of its part that runs longest; only while one runs'),
}

export const jobResults = {
  type: 'object',
  anyOf: [
    { title: 'List of jobs', ...object({ jobs: list(object(listed)) }) },
    { title: 'One job', ...object(jobResult) },
  ],
} as const
