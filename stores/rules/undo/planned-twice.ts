// Planned restores that were planned again after they had been deleted.
import { isDeepStrictEqual } from 'node:util'
import { masks } from '../../records/scheduled-work.ts'
import type { Procedure, Schedule, Task } from '../../types.ts'
import type { UndoConflict } from '../../undo-methods.ts'
import type { Row } from './kept-entries.ts'

type RowsOf = (name: 'schedules' | 'tasks' | 'procedures') => readonly Row[]

/** Why `restored` may not come back: one image would be written to one partition of a computer twice at the same time. */
export function findPlannedTwice(restored: RowsOf, present: RowsOf): UndoConflict | undefined {
  // Of an edit only the schedule comes back: the rest of its plan is there.
  const plans = readPlans(restored('schedules'), name => [...restored(name), ...present(name)])
  if (plans.length === 0) return undefined
  const others = readPlans(present('schedules'), present)
  for (const { content, clients } of plans) {
    const twin = others.find(
      other => isDeepStrictEqual(other.content, content) && other.clients.some(addr => clients.includes(addr)),
    )
    if (!twin) continue
    const text = `planned restore ${twin.name}: it is planned again already, as schedule ${twin.id}`
    return { text, cause: { code: 'undo-planned', name: twin.name } }
  }
  return undefined
}

function readPlans(schedules: readonly Row[], rowsOf: RowsOf) {
  // `as`: rows of these collections.
  const find = (name: 'tasks' | 'procedures', id: number) => rowsOf(name).find(row => row.id === id) as unknown
  return schedules.flatMap(row => {
    const schedule = row as unknown as Schedule // A row of this collection.
    const { id, name, plan } = schedule
    const task = plan && (find('tasks', plan.task) as Task | undefined)
    const procedure = plan && (find('procedures', plan.procedure) as Procedure | undefined)
    if (!task || !procedure) return []
    const steps = procedure.steps.map(step => ('command' in step ? [step.command, targetOf(step.params)] : step))
    return [{ id, name, clients: task.clients ?? [], content: [masks.store(schedule), steps] }]
  })
}

const targetOf = ({ name, disk, partition }: Record<string, unknown>) => [name, disk, partition]
