// Procedures and tasks.

import {
  about,
  type Column,
  flag,
  json,
  list,
  number,
  oneOf,
  optional,
  optionalText,
  type RecordOf,
  record,
  reference,
  text,
} from './record-columns.ts'
import { targets } from './scheduled-work.ts'

/**
 * One step of a procedure or task; `params` is the command's payload without `clients`. A procedure or task that a step
 * names exists when the step is stored; later it can be missing only because its center was deleted.
 */
export type Step = { command: string; params: Record<string, unknown> } | { procedure: number } | { task: number }

const params = json<Record<string, unknown>>()

function copyStep(step: Step): Step {
  if ('command' in step) return { command: step.command, params: params.store(step.params) }
  return 'task' in step ? { task: step.task } : { procedure: step.procedure }
}

const step: Column<Step> = { store: copyStep, read: copyStep }

export const procedure = record(
  {
    id: number,
    center: reference('center', 'cascade'),
    name: about('Unique in its center.', text),
    description: optionalText,
    steps: about('Each one has a command with its params, or the id of a procedure or task.', list(step)),
    planned: about('Whether a planned restore has made it.', optional(flag)),
  },
  'Lists of steps.',
)

/** `name` is unique within its center. */
export interface Procedure extends RecordOf<typeof procedure> {}

const taskOptions = record({
  /** Computers that are off are woken. */
  wake: optional(flag),
  /** A computer where somebody is logged in waits until nobody is. */
  when_idle: optional(flag),
  /** `06:30`: what has not begun by then, in local time, expires. */
  until: optional(text),
  /** At most so many computers at once. */
  batch: optional(number),
  /** The command of a last step, after those of the task. */
  // biome-ignore lint/suspicious/noThenProperty: a value of the record, which nothing awaits
  then: optional(oneOf(['poweroff', 'session'])),
  /** Where a computer gets the last step; absent: `any`, whatever became of its steps before. */
  then_after: optional(oneOf(['success', 'any'])),
})

/** How a task runs; those of the tasks that its steps name have no effect. */
export interface TaskOptions extends RecordOf<typeof taskOptions> {}

const scope = record({ type: oneOf(['center', 'room', 'computer']), id: number })

export const task = record(
  {
    ...procedure.columns,
    scope: about('The center, room or computer that it is for, which may be gone.', optional(scope)),
    clients: about('The addresses that it is for, besides its scope.', optional(list(text))),
    ...targets,
    options: about('How it runs: wake, when_idle, until, batch, then, then_after.', optional(taskOptions)),
  },
  'Lists of steps with their targets: a scope, addresses, or both; without them, all computers of the center.',
)

/** A procedure with its targets: a scope, addresses, or both; without them, all computers of its center. */
export interface Task extends RecordOf<typeof task> {}
