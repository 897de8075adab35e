// The schemas of the JSON form of jobs and their parts.
import { described, integer, list, result, text, time } from './_result-schemas.ts'

export const partStates = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled'] as const

const counts = result(Object.fromEntries(partStates.map(state => [state, integer])))

const entry = {
  id: integer,
  created: time,
  origin: { enum: ['request', 'task', 'procedure', 'schedule', 'retry'], description: 'what has created it' },
  name: described(text, 'the command, or the name of the task, procedure or schedule'),
  caller: described(text, 'the address of the caller who asked for it; absent for schedules'),
  commands: list(text, 'the commands of the first 20 steps'),
  steps: described(integer, 'the number of steps, when there are more'),
  counts: described(counts, 'how many parts are in each state'),
}

const part = {
  client: text,
  step: described(integer, 'from 0'),
  command: text,
  state: { enum: partStates },
  reason: described(text, 'why it failed, was skipped or was cancelled'),
  queued: time,
  sent: time,
  ended: time,
  output: described(text, 'what its script printed; only with ?client='),
  output_dropped: { enum: [true], description: 'the output was dropped, as newer ones needed its space' },
}

const jobResult = {
  ...entry,
  arguments: list(
    { type: ['object', 'null'] },
    'what was asked, of the steps in `commands`: texts are cut at 4096 characters, further long ones are null',
  ),
  parts: list(result(part, ['reason', 'sent', 'ended', 'output', 'output_dropped']), 'one per client and step'),
  next: described(integer, 'for ?after= of the next page; absent on the last one'),
}

/** A list of jobs, or one job. */
export const jobResults = {
  type: 'object',
  anyOf: [result({ jobs: list(result(entry, ['caller', 'steps'])) }), result(jobResult, ['caller', 'steps', 'next'])],
}
