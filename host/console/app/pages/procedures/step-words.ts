// Procedures and tasks in words: their steps and their computers.
import type {
  ProcedureAnswer,
  ProcedureStep,
  ProceduresAnswer,
  RunOptions,
  TaskAnswer,
  TaskStep,
  TasksAnswer,
} from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { addressesIn, type ComputerSet, setOfQuery } from '../../parts/computer-choice.tsx'
import { labelOfName } from '../../state/commands.ts'
import { centers, computers, nameOf, rooms } from '../../state/lab.ts'
import { ofLists, useResource } from '../../state/resource.ts'

export type StepListKind = 'procedure' | 'task'
export interface StepLists {
  procedures: readonly ProcedureAnswer[]
  tasks: readonly TaskAnswer[]
}

/** Both lists with what reads them. */
export function useStepLists() {
  const procedures = useResource<ProceduresAnswer>('/procedures', ofLists('procedures'))
  const tasks = useResource<TasksAnswer>('/tasks', ofLists('tasks'))
  const lists: StepLists = {
    procedures: procedures.value.value?.procedures ?? [],
    tasks: tasks.value.value?.tasks ?? [],
  }
  return { procedures, tasks, lists }
}

/** Those of planned restores are for one night: nobody runs or schedules them again. */
export const isLasting = ({ planned }: ProcedureAnswer | TaskAnswer): boolean => !planned

export function stepWords(step: ProcedureStep | TaskStep, { procedures, tasks }: StepLists): string {
  if ('command' in step) return labelOfName(step.command)
  const [kind, id, list] =
    'task' in step ? (['task', step.task, tasks] as const) : (['procedure', step.procedure, procedures] as const)
  const name = list.find(each => each.id === id)?.name
  return name ?? t('schedules.missing', { kind: t(`schedules.type.${kind}`), id })
}

export const centerName = (id: number): string => centers.value.find(center => center.id === id)?.name ?? ''

/** Whose computers the task is for. */
export function computersOf(task: TaskAnswer | ProcedureAnswer): ComputerSet {
  const { scope, clients, where, group } = {
    ...{ scope: undefined, clients: undefined, where: undefined, group: undefined },
    ...task,
  }
  if (where !== undefined || group !== undefined) return setOfQuery(where ?? `group:${group}`)
  if (clients) return { type: 'list', clients }
  if (!scope) return { type: 'center', id: task.center }
  if (scope.type !== 'computer') return { type: scope.type, id: scope.id }
  const only = [...computers.value.values()].find(({ id }) => id === scope.id)
  return { type: 'list', clients: only ? [only.ip] : [] }
}

/** How the task runs; nothing for a procedure. */
export const runOptionsOf = (record: TaskAnswer | ProcedureAnswer | undefined): RunOptions =>
  record && 'options' in record ? (record.options ?? {}) : {}

/** More are counted. */
const mostNames = 5

export function computerWords(set: ComputerSet): string {
  if (set.type === 'query') return set.where
  const n = addressesIn(set).length
  if (set.type === 'list') return n > mostNames ? t('rooms.all', { n }) : set.clients.map(nameOf).join(', ')
  const name = set.type === 'center' ? centerName(set.id) : rooms.value.find(({ id }) => id === set.id)?.name
  return t('computers.allOf', { name: name ?? '', n })
}
