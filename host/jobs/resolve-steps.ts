// What a procedure or task comes to when it runs: its commands in order, and the computers that it is for.

import type { ScopeNode, Step, Store, Task } from '../../stores/store.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { Refusal } from '../services.ts'
import type { LoadedCommand } from './prepare.ts'

export interface CommandStep {
  command: string
  params: Record<string, unknown>
}

export interface ResolveStepsDeps {
  store: Store
  find(name: string): LoadedCommand | undefined
}

export interface ResolveSteps {
  /** The steps with their commands' proper names, or the first that is none. Ids are the store's to check. */
  check(steps: Step[]): Step[] | Refusal
  /** All commands, in order. What a step named may have gone with its center since: then nothing may run. */
  commands(steps: Step[]): Promise<CommandStep[] | Refusal>
  /** The addresses that a task is for at this moment. */
  targets(task: Pick<Task, 'center' | 'scope' | 'clients'>): Promise<string[]>
}

/** Stands in for the clients of a step, which it has only when it runs. */
const anyClients = ['127.0.0.1']

export function createResolveSteps({ store, find }: ResolveStepsDeps): ResolveSteps {
  function checkStep(step: Step, index: number): Step | Refusal {
    if (!('command' in step)) return step
    const { command: name, params } = step
    const where = `steps[${index}]`
    const ready = find(name)
    if (!ready) return refuse(`${where}.command: there is no command ${name}`)
    if (!ready.command.forward && !ready.command.act)
      return refuse(`${where}.command: ${name} does nothing on a client`)
    if ('clients' in params) return refuse(`${where}.params: clients is given when the step runs`)
    const misfit = ready.checkPayload?.({ ...params, clients: anyClients })
    return misfit === undefined ? { command: ready.name, params } : refuse(`${where}.params: ${misfit}`)
  }

  async function commands(steps: Step[]): Promise<CommandStep[] | Refusal> {
    const all: CommandStep[] = []
    for (const step of steps) {
      const found = 'command' in step ? [step] : await commandsBehind(step)
      if (isRefusal(found)) return found
      all.push(...found)
    }
    return all
  }

  async function commandsBehind(step: { procedure: number } | { task: number }): Promise<CommandStep[] | Refusal> {
    const named = 'task' in step ? await store.tasks.find(step.task) : await store.procedures.find(step.procedure)
    return named ? commands(named.steps) : refuse(`steps: what ${JSON.stringify(step)} names is not there any more`)
  }

  return {
    check(steps) {
      const checked: Step[] = []
      for (const [index, step] of steps.entries()) {
        const found = checkStep(step, index)
        if (isRefusal(found)) return found
        checked.push(found)
      }
      return checked
    },
    commands,
    async targets({ center, scope, clients }) {
      if (clients) return clients
      const wanted = scope ?? { type: 'center', id: center }
      const node = findNode(await store.scopes(), wanted)
      return node ? addressesIn(node) : []
    },
  }
}

function findNode(nodes: readonly ScopeNode[], wanted: { type: string; id: number }): ScopeNode | undefined {
  for (const node of nodes) {
    if (node.type === wanted.type && node.id === wanted.id) return node
    const found = findNode(node.scope, wanted)
    if (found) return found
  }
  return undefined
}

const addressesIn = (node: ScopeNode): string[] => ('ip' in node ? [node.ip] : node.scope.flatMap(addressesIn))
