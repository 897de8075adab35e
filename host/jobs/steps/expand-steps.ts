// Expands the steps of procedures and tasks to commands. Nested steps multiply, so they are counted first.
import type { Step, Store } from '../../../stores/store.ts'
import type { Limits } from '../../config/options.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { createPause } from '../../system/time-slices.ts'

export interface CommandStep {
  command: string
  params: Record<string, unknown>
}

export interface ExpandStepsDeps {
  store: Pick<Store, 'procedures' | 'tasks'>
  limits: Limits
}

/** A step that names a procedure or a task. */
type NamedStep = { procedure: number } | { task: number }

/** The commands that steps lead to. */
interface Expansion {
  /** Incomplete when there are more than `limits.run_steps`. */
  commands: CommandStep[]
  /** Of all commands. */
  count: number
  /** Characters of the parameters of all commands. */
  length: number
}

/** So many commands of the greatest length may be in one job, whose steps are stored and read as one text. */
const longestCommands = 8

/** Milliseconds of work between two ticks of the event loop. */
export const tickMilliseconds = 10

/** Resolves to the commands in order, or a refusal when there are too many or a procedure or task does not exist. */
export function createExpandSteps({ store, limits }: ExpandStepsDeps) {
  return async (steps: Step[]): Promise<CommandStep[] | Refusal> => {
    const expansion = await createExpander(store, limits.run_steps)(steps)
    if (isRefusal(expansion)) return expansion
    const { commands, count, length } = expansion
    const maxLength = longestCommands * limits.forward
    if (count > limits.run_steps) return refuse(`steps: expected at most ${limits.run_steps}, got ${count}`)
    if (length <= maxLength) return commands
    return refuse(`steps: expected parameters of at most ${maxLength} characters, got ${length}`)
  }
}

/** Expands each procedure and task once, however often steps name it. */
function createExpander({ tasks, procedures }: ExpandStepsDeps['store'], maxCommands: number) {
  const expansions = new Map<string, Expansion>()
  const pause = createPause(tickMilliseconds)

  async function expandNamed(step: NamedStep): Promise<Expansion | Refusal> {
    const key = JSON.stringify(step)
    const previous = expansions.get(key)
    if (previous) return previous
    const named = 'task' in step ? await tasks.find(step.task) : await procedures.find(step.procedure)
    if (!named) return refuse(`steps: ${key} does not exist any more`)
    await pause()
    // Used when the steps lead back to this one, which the store does not allow: such a run has no end.
    expansions.set(key, { commands: [], count: Number.POSITIVE_INFINITY, length: 0 })
    const expansion = await expand(named.steps)
    if (!isRefusal(expansion)) expansions.set(key, expansion)
    return expansion
  }

  async function expand(steps: Step[]): Promise<Expansion | Refusal> {
    const sum: Expansion = { commands: [], count: 0, length: 0 }
    for (const step of steps) {
      const expansion = 'command' in step ? expansionOf(step) : await expandNamed(step)
      if (isRefusal(expansion)) return expansion
      sum.count += expansion.count
      sum.length += expansion.length
      if (sum.count <= maxCommands) for (const command of expansion.commands) sum.commands.push(command)
    }
    return sum
  }
  return expand
}

const expansionOf = (step: CommandStep): Expansion => ({
  commands: [step],
  count: 1,
  length: JSON.stringify(step.params).length,
})
