// Resolves the steps of procedures and tasks to commands, and the scope of a task to addresses.
import type { ScopeNode, Step, Store, Task } from '../../../stores/store.ts'
import type { Limits } from '../../config/options.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal, Rights } from '../../contract/services.ts'
import { type CommandStep, createExpandSteps } from './expand-steps.ts'

export interface ResolveStepsDeps {
  store: Store
  limits: Limits
  findCommand(name: string): LoadedCommand | undefined
}

/** Whom a task is for. A procedure is for its center. */
type Targets = Pick<Task, 'center' | 'scope' | 'clients'>

export interface ResolveSteps {
  /** The steps with aliases replaced by command names, or a refusal for the first invalid step. The store checks ids. */
  check(steps: Step[]): Step[] | Refusal
  /**
   * The commands of all steps in order. A refusal when there are more than `limits.run_steps`, or when a step names a
   * procedure or task that was deleted since.
   */
  commands(steps: Step[]): Promise<CommandStep[] | Refusal>
  /** The addresses that a task is for now. */
  targets(task: Targets): Promise<string[]>
  /** Whether all of these, and those that its center or room may get, are within the limits. */
  isInside(task: Targets, rights: Rights): Promise<boolean>
}

/** A valid value for `clients`, which a step gets only when it runs. */
const anyClients = ['127.0.0.1']

export function createResolveSteps({ store, limits, findCommand }: ResolveStepsDeps): ResolveSteps {
  function checkStep(step: Step, index: number): Step | Refusal {
    if (!('command' in step)) return step
    const { command: name, params } = step
    const where = `steps[${index}]`
    const loaded = findCommand(name)
    if (!loaded) return refuse(`${where}.command: there is no command ${name}`)
    const { forward, act } = loaded.command
    if (!forward && !act) return refuse(`${where}.command: expected a command for clients, got ${name}`)
    if ('clients' in params)
      return refuse(`${where}.params: expected no clients (a step gets them when it runs), got clients`)
    const mismatch = loaded.checkPayload?.({ ...params, clients: anyClients })
    return mismatch === undefined ? { command: loaded.name, params } : refuse(`${where}.params: ${mismatch}`)
  }

  async function targets({ center, scope, clients }: Targets): Promise<string[]> {
    if (clients) return clients
    const node = findNode(await store.scopes(), scope ?? { type: 'center', id: center })
    return node ? addressesIn(node) : []
  }

  return {
    check(steps) {
      const checked: Step[] = []
      for (const [index, step] of steps.entries()) {
        const result = checkStep(step, index)
        if (isRefusal(result)) return result
        checked.push(result)
      }
      return checked
    },
    commands: createExpandSteps({ store, limits }),
    targets,
    async isInside(task, rights) {
      const { center, scope, clients } = task
      if (!rights.isLimited) return true
      if (!clients && !scope) return rights.hasCenter(center)
      if (!clients && scope?.type === 'center') return rights.hasCenter(scope.id)
      if (!clients && scope?.type === 'room') return rights.hasRoom(scope.id)
      const addrs = await targets(task)
      return addrs.length > 0 && addrs.every(addr => rights.hasClient(addr))
    },
  }
}

function findNode(nodes: readonly ScopeNode[], scope: { type: string; id: number }): ScopeNode | undefined {
  for (const node of nodes) {
    if (node.type === scope.type && node.id === scope.id) return node
    const child = findNode(node.scope, scope)
    if (child) return child
  }
  return undefined
}

const addressesIn = (node: ScopeNode): string[] => ('ip' in node ? [node.ip] : node.scope.flatMap(addressesIn))
