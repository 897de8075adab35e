// What a schedule runs; and what uses a task or a procedure, in words: why it cannot be deleted.
import type { Schedule, Store } from '../../stores/store.ts'
import type { Rights } from '../contract/services.ts'
import { firstOf } from './waiting-jobs.ts'

type Kind = 'task' | 'procedure'

/** `schedule Evening (schedule 3), task Tidy up (task 4)`: of a limited caller only its schedules; '' without any. */
export async function wordsOfUsers(
  kind: Kind,
  id: number,
  { store, schedules, rights }: { store: Pick<Store, 'tasks' | 'procedures'>; schedules: Schedule[]; rights: Rights },
): Promise<string> {
  const [tasks, procedures] = rights.isLimited ? [[], []] : [await store.tasks.list(), await store.procedures.list()]
  const names = (step: object) => Object.entries(step).some(([key, value]) => key === kind && value === id)
  const users = [
    ...schedules.filter(row => row.type === kind && row.task === id).map(row => ({ kind: 'schedule', ...row })),
    ...tasks.filter(({ steps }) => steps.some(names)).map(row => ({ kind: 'task', ...row })),
    ...procedures.filter(({ steps }) => steps.some(names)).map(row => ({ kind: 'procedure', ...row })),
  ]
  return firstOf(users.map(({ kind, id, name }) => `${kind} ${name} (${kind} ${id})`))
}

export function findTarget(
  { type, task: id }: Schedule,
  store: Pick<Store, 'schedules' | 'tasks' | 'procedures'>,
): Promise<object | undefined> {
  if (type === 'command') return store.schedules.findScheduledCommand(id)
  return type === 'task' ? store.tasks.find(id) : store.procedures.find(id)
}
