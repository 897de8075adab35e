// What schedules run: tasks and procedures, what uses them, and what their steps do in words.
import type { ProcedureAnswer, ScheduleAnswer, TaskAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'

export type RecordKind = 'procedure' | 'task'

export interface Stored {
  schedule: ScheduleAnswer[]
  task: TaskAnswer[]
  procedure: ProcedureAnswer[]
}

export async function readStored({ call }: ApiClient): Promise<Stored> {
  const [schedules, tasks, procedures] = await Promise.all([
    call('GET /schedules'),
    call('GET /tasks'),
    call('GET /procedures'),
  ])
  return { schedule: schedules.body.schedules, task: tasks.body.tasks, procedure: procedures.body.procedures }
}

export interface StoredRecord {
  kind: RecordKind | 'schedule'
  id: number
  name: string
}

/** `task Evening (task 3)`. */
export const recordWords = ({ kind, id, name }: StoredRecord): string => `${kind} ${name} (${kind} ${id})`

/** What runs a task or a procedure. */
export function usersOf(stored: Stored, kind: RecordKind, id: number): StoredRecord[] {
  const names = (step: object) => Object.entries(step).some(([key, value]) => key === kind && value === id)
  const schedules = stored.schedule.filter(row => row.type === kind && row.task === id)
  const lists = (['task', 'procedure'] as const).flatMap(each =>
    stored[each].filter(({ steps }) => steps.some(names)).map(row => ({ kind: each, id: row.id, name: row.name })),
  )
  return [...schedules.map(row => ({ kind: 'schedule' as const, id: row.id, name: row.name })), ...lists]
}

type Step = ProcedureAnswer['steps'][number] | TaskAnswer['steps'][number]

const scriptCommands = ['shell-run', 'script-run']

export const isScript = (step: Step | undefined): boolean =>
  step !== undefined && 'command' in step && scriptCommands.includes(step.command)

/** `shell-run: sync, at most 8h`, `script-run: Update, edition=full`, `image-restore: win11, disk 1, partition 2`, `poweroff`. */
export function stepWords(step: Step, { task, procedure }: Stored): string {
  if ('procedure' in step) return nameOf('procedure', step.procedure, procedure)
  if ('task' in step) return nameOf('task', step.task, task)
  const { run, script, name, values, disk, partition } = step.params
  const words = [
    ...[run, script, name].flatMap(text => (typeof text === 'string' ? linesOf(text).join(' ⏎ ') : [])),
    ...Object.entries(Object(values)).map(([key, value]) => `${key}=${value}`),
    ...(disk === undefined ? [] : [`disk ${disk}`]),
    ...(partition === undefined ? [] : [`partition ${partition}`]),
    ...endWords(step.params, 'at most ', 'until '),
  ]
  return words.length === 0 ? step.command : `${step.command}: ${words.join(', ').trim()}`
}

/** When a script is ended: `at most 8h`, `until 06:30`. */
export const endWords = ({ timeout, end_at }: Record<string, unknown>, after: string, at: string): string[] => [
  ...(timeout === undefined ? [] : [`${after}${timeWords(timeout)}`]),
  ...(end_at === undefined ? [] : [`${at}${end_at}`]),
]

const linesOf = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

const minute = 60
const hour = 60 * minute

/** Of seconds, as `--timeout` has them: `8h`, `90s`. */
function timeWords(seconds: unknown): string {
  const number = Number(seconds)
  const [unit, letter] = number % hour === 0 ? [hour, 'h'] : number % minute === 0 ? [minute, 'm'] : [1, 's']
  return `${number / unit}${letter}`
}

function nameOf(kind: RecordKind, id: number, rows: readonly { id: number; name: string }[]): string {
  const row = rows.find(each => each.id === id)
  return row ? recordWords({ kind, ...row }) : `${kind} ${id}`
}
