// Resolves the steps of procedures and tasks to commands, and the scope of a task to addresses.

import { addressesIn, findNode } from '../../../stores/rules/scope-nodes.ts'
import type { Step, Store, Task } from '../../../stores/store.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal, Rights } from '../../contract/services.ts'
import { createPause } from '../../system/time-slices.ts'
import type { JobsDeps } from '../deps.ts'

/** Whom a task is for. A procedure is for its center. */
type Targets = Pick<Task, 'center' | 'scope' | 'clients' | 'where' | 'group'>

/** Addresses, and the query that has found them. */
export interface FoundClients {
  clients: string[]
  where?: string
}

/** Whether they are found each time anew, of a limited caller those within its limits. */
export const isFound = ({ where, group }: Pick<Task, 'where' | 'group'>) => where !== undefined || group !== undefined

export type ResolveSteps = ReturnType<typeof createResolveSteps>

/** A valid value for `clients`, which a step gets only when it runs. */
const anyClients = ['127.0.0.1']

export function createResolveSteps(deps: JobsDeps) {
  const { store, findCommand, search } = deps

  function checkStep(step: Step, index: number): Step | Refusal {
    if (!('command' in step)) return step
    const { command: name, params } = step
    const where = `steps[${index}]`
    const loaded = findCommand(name)
    if (!loaded) return refuse(`${where}.command: there is no command ${name}`)
    const { forward, act } = loaded.command
    if (!forward && !act) return refuse(`${where}.command: expected a command for clients, got ${name}`)
    const target = ['clients', ...(loaded.findsClients ? ['where', 'group'] : [])].find(key => key in params)
    if (target !== undefined)
      return refuse(`${where}.params: expected no ${target} (a step gets its clients when it runs), got ${target}`)
    const mismatch = loaded.checkPayload?.({ ...params, clients: anyClients })
    return mismatch === undefined ? { command: loaded.name, params } : refuse(`${where}.params: ${mismatch}`)
  }

  /** The addresses that a task is for now. */
  async function targets(task: Targets, rights: Rights): Promise<FoundClients | Refusal> {
    const { center, scope, clients } = task
    if (isFound(task)) return search.targets(task, rights)
    if (clients) return { clients }
    const node = findNode(await store.scopes(), scope ?? { type: 'center', id: center })
    return { clients: node ? addressesIn(node) : [] }
  }

  return {
    /** The steps with aliases replaced by command names, or a refusal for the first invalid step. The store checks ids. */
    check(steps: Step[]): Step[] | Refusal {
      const checked: Step[] = []
      for (const [index, step] of steps.entries()) {
        const result = checkStep(step, index)
        if (isRefusal(result)) return result
        checked.push(result)
      }
      return checked
    },
    commands: createExpandSteps(deps),
    targets,
    /** Whether all of these, and those that its center or room may get, are within the limits. */
    async isInside(task: Targets, rights: Rights): Promise<boolean> {
      const { center, scope, clients } = task
      if (!rights.isLimited) return true
      if (isFound(task)) return rights.reachesCenter(center)
      if (!clients && !scope) return rights.hasCenter(center)
      if (!clients && scope?.type === 'center') return rights.hasCenter(scope.id)
      if (!clients && scope?.type === 'room') return rights.hasRoom(scope.id)
      const found = await targets(task, rights)
      if (isRefusal(found)) return false
      const { clients: addrs } = found
      return addrs.length > 0 && addrs.every(addr => rights.hasClient(addr))
    },
  }
}

export interface CommandStep {
  command: string
  params: Record<string, unknown>
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
function createExpandSteps({ store, limits }: JobsDeps) {
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
function createExpander({ tasks, procedures }: Store, maxCommands: number) {
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
