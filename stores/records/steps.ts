// What procedures and tasks name in their steps.

import type { Tables } from '../memory/tables/tables.ts'
import type { Step, StepConflict, Task } from '../store.ts'

export type PlanKind = 'procedures' | 'tasks'

type Named = { procedure: number } | { task: number }

export const nameOf = (kind: PlanKind, id: number): Named => (kind === 'tasks' ? { task: id } : { procedure: id })

const same = (a: Named, b: Named) =>
  'task' in a ? 'task' in b && a.task === b.task : 'procedure' in b && a.procedure === b.procedure

/** Written out key by key; a command's parameters as they come back from the disk. */
export const copySteps = (steps: readonly Step[]): Step[] =>
  steps.map(step => {
    if ('command' in step) return { command: step.command, params: copyJson(step.params) }
    return 'task' in step ? { task: step.task } : { procedure: step.procedure }
  })

export function copyJson<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value))
  return copy
}

/** Why these steps cannot be kept; a new plan has no `own` name yet, so that nothing leads to it. */
export function findStepConflict(tables: Tables, steps: readonly Step[], own?: Named): StepConflict | undefined {
  if (steps.some(step => !('command' in step) && !planOf(tables, step))) return 'unknown step'
  return own && reaches(tables, steps, own) ? 'loop' : undefined
}

/** Whether a step of any procedure or task, or a schedule, names it. */
export function isNamed({ all }: Tables, kind: PlanKind, id: number): boolean {
  const wanted = nameOf(kind, id)
  const type = kind === 'tasks' ? 'task' : 'procedure'
  for (const { steps } of [...all.procedures.all(), ...all.tasks.all()]) {
    if (steps.some(step => !('command' in step) && same(step, wanted))) return true
  }
  return [...all.schedules.all()].some(schedule => schedule.type === type && schedule.task === id)
}

const planOf = ({ all }: Tables, named: Named): Readonly<Task> | undefined =>
  'task' in named ? all.tasks.get(named.task) : all.procedures.get(named.procedure)

/** Whether the steps, or those of what they name, come to `wanted`. Each is looked at once. */
function reaches(tables: Tables, steps: readonly Step[], wanted: Named): boolean {
  const seen = new Set<Readonly<Task>>()
  const open = [...steps]
  for (const step of open) {
    if ('command' in step) continue
    if (same(step, wanted)) return true
    const plan = planOf(tables, step)
    if (!plan || seen.has(plan)) continue
    seen.add(plan)
    for (const next of plan.steps) open.push(next)
  }
  return false
}
