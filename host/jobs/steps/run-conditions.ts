// What the options of a task mean when it runs: conditions of its job, and a last step.
import type { Job, TaskOptions } from '../../../stores/store.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { nextTime } from '../../schedules/recurrence.ts'
import type { CommandStep } from './resolve-steps.ts'

/** Undefined when the parts of the job may start at once. `now`: when it starts, milliseconds since 1970; `steps`: with the last one. */
export function conditionsOf(
  { when_idle, until, batch, then, then_after }: TaskOptions,
  now: number,
  steps: number,
): Job['conditions'] {
  const isAfterSuccess = then !== undefined && then_after === 'success'
  if (!when_idle && until === undefined && batch === undefined && !isAfterSuccess) return undefined
  return {
    ...(when_idle && { when_idle }),
    ...(until !== undefined && { until: nextTime(until, now) }),
    ...(batch !== undefined && { batch }),
    ...(isAfterSuccess && { after_success: steps - 1 }),
  }
}

/**
 * The command `name` as a step after others: its required keys have the values of the last step that has all of them. Without
 * such a step a refusal.
 */
export function lastStep(
  name: string,
  commands: readonly CommandStep[],
  findCommand: (name: string) => LoadedCommand | undefined,
): CommandStep | Refusal {
  const keys = requiredKeys(findCommand(name)?.command.payload).filter(key => key !== 'clients')
  const source =
    keys.length === 0 ? { params: {} } : commands.findLast(({ params }) => keys.every(key => key in params))
  if (!source) return refuse(`options.then: expected a step with ${keys.join(' and ')} before ${name}, got none`)
  return {
    command: name,
    params: Object.fromEntries(Object.entries(source.params).filter(([key]) => keys.includes(key))),
  }
}

function requiredKeys(schema: object | undefined): string[] {
  if (!schema || !('required' in schema) || !Array.isArray(schema.required)) return []
  return schema.required.filter(key => typeof key === 'string')
}
