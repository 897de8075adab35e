// Imports schedules of procedures and tasks.
import type { Masks, Schedule } from '../../../stores/store.ts'
import type { StepGraph } from './read-procedures.ts'
import { keepRows, type SiteImport } from './site.ts'
import type { SourceRow } from './source-row.ts'

type Target = Pick<Schedule, 'type' | 'task'>

interface Graphs {
  procedures: StepGraph
  tasks: StepGraph
}

/** `now`: milliseconds since 1970; what was due before does not run. */
export const readSchedules = (task: SiteImport, graphs: Graphs, now: number): Promise<void> =>
  keepRows(task, 'programaciones', 'schedules', (row, id) => {
    const target = targetOf(task, row)
    if (typeof target === 'string') return target
    const [name, when] = [row.text('nombrebloque'), masksOf(row)]
    const suspended = row.flag('suspendida') ? 1 : 0
    const payload = { ...target, task: String(target.task), name, when, suspended }
    const reason = task.checks.mismatch('schedule-create', payload)
    if (reason !== undefined) return reason
    const lacksStep = isIncomplete(task, target, graphs)
    // What is left may do harm by itself, such as restoring images on a disk that was not set up.
    if (lacksStep) row.note('suspendida', 'it is suspended, as a step of what it runs is left out')
    return { id, ...target, name, ...when, suspended: lacksStep ? 1 : suspended, since: now, by: 'admin' }
  })

function targetOf({ site }: SiteImport, row: SourceRow): Target | string {
  const [type, task] = [row.number('tipoaccion'), row.number('identificador')]
  if (type === 1) return 'tipoaccion: the command of a schedule is in none of the tables that are read'
  if (type === 2) return row.missing('identificador', 'procedimientos', site.procedures) ?? { type: 'procedure', task }
  if (type === 3) return row.missing('identificador', 'tareas', site.tasks) ?? { type: 'task', task }
  return `tipoaccion: expected 1, 2 or 3, got ${row.text('tipoaccion')}`
}

const masksOf = (row: SourceRow): Masks => ({
  years: row.number('annos'),
  months: row.number('meses'),
  weeks: row.number('semanas'),
  week_days: row.number('dias'),
  days: row.number('diario'),
  hours: row.number('horas'),
  am_pm: row.number('ampm'),
  minutes: row.number('minutos'),
})

function isIncomplete({ site }: SiteImport, { type, task }: Target, { procedures, tasks }: Graphs): boolean {
  if (type === 'procedure') return procedures.isIncomplete(task)
  const steps = [...tasks.reachable(task)].flatMap(id => site.tasks.get(id)?.steps ?? [])
  return tasks.isIncomplete(task) || steps.some(step => 'procedure' in step && procedures.isIncomplete(step.procedure))
}
