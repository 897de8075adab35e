// Resolves a task, a procedure or a scheduled command to the commands and clients that a caller may run.

import type { New, Procedure, Schedule, ScheduledCommand, Task, TaskOptions } from '../../../stores/store.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { Refusal, Rights, UnstoredTask } from '../../contract/services.ts'
import type { Target } from '../../schedules/service.ts'
import { placesOf } from '../../search/describe-targets.ts'
import type { JobsDeps } from '../deps.ts'
import { checkStart, refuseUnknown } from './check-run.ts'
import { type CommandStep, type FoundClients, isFound, type ResolveSteps } from './resolve-steps.ts'
import { lastStep } from './run-conditions.ts'

type RunTask = Pick<Task, 'center' | 'name' | 'steps' | 'scope' | 'clients' | 'where' | 'group' | 'options'>

export interface ResolvedRun extends FoundClients {
  /** Of the task or procedure. */
  name: string
  commands: CommandStep[]
  /** Of a task. */
  options?: TaskOptions
}

type Targets = Pick<ScheduledCommand, 'clients' | 'where' | 'group'>

export type ResolveRuns = ReturnType<typeof createResolveRuns>

export function createResolveRuns(deps: JobsDeps, resolveSteps: ResolveSteps) {
  const { store } = deps

  async function resolve(
    { name, steps, options }: Pick<Task, 'name' | 'steps' | 'options'>,
    target: FoundClients,
    rights: Rights,
  ): Promise<ResolvedRun | Refusal> {
    const commands = await resolveSteps.commands(steps)
    if (isRefusal(commands)) return commands
    const last = options?.then && lastStep(options.then, commands, deps.findCommand)
    if (isRefusal(last)) return last
    const run = { name, commands: last ? [...commands, last] : commands, ...target, ...(options && { options }) }
    return (await checkStart(rights, run, deps)) ?? run
  }

  /** A task or procedure on its own targets. */
  async function resolveAll(task: RunTask | undefined, what: string, rights: Rights): Promise<ResolvedRun | Refusal> {
    if (!task || !(await resolveSteps.isInside(task, rights))) return refuseUnknown(rights, `there is no ${what}`)
    const found = await resolveSteps.targets(task, rights)
    return isRefusal(found) ? found : resolve(task, found, rights)
  }

  async function findCommandOf(id: number, rights: Rights): Promise<ResolvedRun | Refusal> {
    const scheduled = await store.schedules.findScheduledCommand(id)
    if (!scheduled) return refuseUnknown(rights, `there is no scheduled command ${id}`)
    const { command, params } = scheduled
    const found = await findClientsOf(scheduled, rights, deps)
    if (isRefusal(found)) return found
    const run = { name: command, commands: [{ command, params }], ...found }
    return (await checkStart(rights, run, deps)) ?? run
  }

  const findTask = async (task: number | UnstoredTask): Promise<RunTask | undefined> =>
    typeof task === 'number' ? store.tasks.find(task) : task
  const findProcedure = (id: number): Promise<Procedure | undefined> => store.procedures.find(id)

  return {
    /** On these clients. */
    async procedure(id: number, clients: string[], rights: Rights): Promise<ResolvedRun | Refusal> {
      const procedure = await findProcedure(id)
      const isReachable = procedure && rights.reachesCenter(procedure.center)
      return isReachable
        ? resolve(procedure, { clients }, rights)
        : refuseUnknown(rights, `there is no procedure ${id}`)
    },

    /** A procedure runs on all computers of its center. */
    async target({ type, task: id }: Target, rights: Rights): Promise<ResolvedRun | Refusal> {
      if (type === 'task') return resolveAll(await findTask(id), `task ${id}`, rights)
      if (type === 'procedure') return resolveAll(await findProcedure(id), `procedure ${id}`, rights)
      return findCommandOf(id, rights)
    },

    /** A refusal when the rights are not sufficient for a command on clients. */
    async checkCommand({ command, params, ...targets }: New<ScheduledCommand>, rights: Rights) {
      const found = await findClientsOf(targets, rights, deps)
      return isRefusal(found) ? found : checkStart(rights, { commands: [{ command, params }], ...found }, deps)
    },

    isInside: createIsInside(store, resolveSteps),
  }
}

/** Those of a scheduled command. */
const findClientsOf = async (
  scheduled: Targets,
  rights: Rights,
  { search }: JobsDeps,
): Promise<FoundClients | Refusal> =>
  isFound(scheduled) ? search.targets(scheduled, rights) : { clients: scheduled.clients }

/** Whether all computers of what a schedule runs, and of those that a room may get, are within the limits. */
const createIsInside =
  (store: JobsDeps['store'], resolveSteps: ResolveSteps) =>
  async ({ type, task: id }: Pick<Schedule, 'type' | 'task'>, rights: Rights): Promise<boolean> => {
    if (!rights.isLimited) return true
    if (type === 'command') {
      const scheduled = await store.schedules.findScheduledCommand(id)
      return scheduled !== undefined && !isFound(scheduled) && scheduled.clients.every(addr => rights.hasClient(addr))
    }
    const task: RunTask | undefined = await (type === 'task' ? store.tasks : store.procedures).find(id)
    if (!task || !isFound(task)) return task !== undefined && resolveSteps.isInside(task, rights)
    // Who runs the task gets their own computers of it; the schedule of somebody else is for all that it finds.
    const places = placesOf({ where: task.where })
    return (
      places.length > 0 && places.every(({ type, id }) => (type === 'room' ? rights.hasRoom(id) : rights.hasCenter(id)))
    )
  }
