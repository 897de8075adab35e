// Procedures and tasks: named lists of steps that must not come back to themselves.

import { copySteps, findStepConflict, isNamed, nameOf, type PlanKind } from '../records/steps.ts'
import type { New, Procedure, StepConflict, Store, Task } from '../store.ts'
import type { Records } from './store.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

export function plans(given: Records): Pick<Store, PlanKind> {
  return { procedures: kept(given, 'procedures', copyProcedure), tasks: kept(given, 'tasks', copyTask) }
}

/** Both kinds, as a task without its additions is a procedure. */
function kept({ tables, mutate }: Records, kind: PlanKind, copy: (plan: Readonly<Task>) => Task): Store['tasks'] {
  const { all } = tables
  return {
    async list() {
      return all[kind].sorted().map(copy)
    },
    async find(id) {
      const plan = all[kind].get(id)
      return plan && copy(plan)
    },
    add: plan =>
      mutate(edit => {
        const conflict = findConflict(tables, kind, plan)
        if (conflict) return conflict
        const id = all[kind].next()
        edit.put(kind, copy({ ...plan, id }))
        return id
      }),
    update: plan =>
      mutate(edit => {
        if (!all[kind].get(plan.id)) return 'unknown'
        const conflict = findConflict(tables, kind, plan, plan.id)
        if (conflict) return conflict
        edit.put(kind, copy(plan))
        return 'updated'
      }),
    delete: id =>
      mutate(edit => {
        if (!all[kind].get(id)) return 'unknown'
        if (isNamed(tables, kind, id)) return 'in use'
        edit.delete(kind, id)
        return 'deleted'
      }),
  }
}

/** Takes a center's along, whoever names them. */
export function removePlans({ all }: Tables, edit: Edit, center: number): void {
  for (const kind of ['procedures', 'tasks'] as const) {
    for (const plan of all[kind].sorted()) if (plan.center === center) edit.delete(kind, plan.id)
  }
}

function findConflict(tables: Tables, kind: PlanKind, plan: New<Task>, own?: number): StepConflict | undefined {
  const { center, name, steps } = plan
  if (!tables.all.centers.get(center)) return 'unknown center'
  const holder = tables.by[kind].id(`${center} ${name}`)
  if (holder !== undefined && holder !== own) return 'name taken'
  return findStepConflict(tables, steps, own === undefined ? undefined : nameOf(kind, own))
}

/** Written out key by key: what else a caller's object carries is not stored. */
function copyProcedure({ id, center, name, description, steps }: Readonly<Procedure>): Procedure {
  return { id, center, name, description, steps: copySteps(steps) }
}

function copyTask(task: Readonly<Task>): Task {
  const { scope, clients } = task
  return {
    ...copyProcedure(task),
    ...(scope && { scope: { type: scope.type, id: scope.id } }),
    ...(clients && { clients: [...clients] }),
  }
}
