// Where the steps of procedures and tasks lead.
import type { Procedure, Step } from '../types.ts'

/** A step that names a procedure or a task. */
export type NamedStep = Exclude<Step, { command: string }>

type List = Readonly<Pick<Procedure, 'steps'>>

export const isSameStep = (a: NamedStep, b: NamedStep) =>
  'task' in a ? 'task' in b && a.task === b.task : 'procedure' in b && a.procedure === b.procedure

/** Whether the steps, or the steps of what they name, include `target`. Visits each procedure and task once. */
export function leadsTo(
  steps: readonly Step[],
  target: NamedStep,
  find: (step: NamedStep) => List | undefined,
): boolean {
  const visited = new Set<List>()
  const pending = [...steps]
  for (const step of pending) {
    if ('command' in step) continue
    if (isSameStep(step, target)) return true
    const row = find(step)
    if (!row || visited.has(row)) continue
    visited.add(row)
    for (const next of row.steps) pending.push(next)
  }
  return false
}
